/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.c - the table of kinds. */
#include "kinds.h"

const struct ir_kind *const gl_kinds[] = {
#define KIND(name) &gl_kind_##name,
#include "kinds.def"
#undef KIND
    NULL,
};
