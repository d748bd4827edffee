/* SPDX-License-Identifier: Apache-2.0 */
/* complex.c - cases of REAL, IMAG, COMPLEX_ABS. */
#include "bench/opcheck/opcheck.h"

#define COMPLEX_CASES                                                                                                          \
    { "complex64", .in = { TENSOR(COMPLEX64, 3, 7) }, .out = { {TYPE_FLOAT32} } },                                             \
    { "complex128", .in = { TENSOR(COMPLEX128, 3, 7) }, .out = { {TYPE_FLOAT64} } },                                           \
    { "float32", .in = { F32(3) }, .out = { {TYPE_FLOAT32} }, .fails = "FLOAT32" }

const struct op_case real_cases[] = { COMPLEX_CASES, { 0 } };

const struct op_case imag_cases[] = { COMPLEX_CASES, { 0 } };

const struct op_case complex_abs_cases[] = { COMPLEX_CASES, { 0 } };
