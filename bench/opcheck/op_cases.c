/* SPDX-License-Identifier: Apache-2.0 */
/* op_cases.c - made from lib/ops/ops.def: bench/cases/ has a list KERNEL_cases for each row. */
#include "bench/opcheck/op_cases.h"

#define OP(name, kernel, version, gl)     extern const struct op_case kernel##_cases[];
#define CUSTOM(name, kernel, version, gl) extern const struct op_case kernel##_cases[];
#include "lib/ops/ops.def"
#undef OP
#undef CUSTOM

const struct op_cases op_cases[] = {
#define OP(name, kernel, version, gl)     {#kernel, kernel##_cases},
#define CUSTOM(name, kernel, version, gl) {#kernel, kernel##_cases},
#include "lib/ops/ops.def"
#undef OP
#undef CUSTOM
    {0},
};
