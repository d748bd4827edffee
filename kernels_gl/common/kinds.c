/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.c - the table of kinds. */
#include "kernels_gl/common/kinds.h"

const struct ir_kind *const gl_kinds[] = {
#define KIND(name) &gl_kind_##name,
#include "kernels_gl/common/kinds.def"
#undef KIND
    NULL,
};
