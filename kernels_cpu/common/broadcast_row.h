/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast_row.h - functions that compute one row of a broadcasting operator, and macros that define them. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_BROADCAST_ROW_H
#define DELEGAUGE_KERNELS_CPU_COMMON_BROADCAST_ROW_H

#include <stddef.h>

#include "row.h"

/* The most inputs that broadcast into one output (SELECT). */
#define BROADCAST_MAX_INPUTS 3

/* Computes y[0..n). Input i is read at x[i][j * step[i]]; step is 1, or 0 where one value serves the whole row. At least one
 * step is 1. `arg` is the op's own. */
typedef void (*broadcast_row)(const void *arg, void *y, const void *const *x, const size_t *step, size_t n);

/* Defines row function `name` of two inputs: y = expr(a, b), after the declarations of `setup` (which may read `arg`). The
 * three loops let the compiler keep a broadcast value in a register. */
#define BINARY_ROW(name, in_t, out_t, setup, expr)                                                                                 \
    static void name(const void *arg, void *out, const void *const *x, const size_t *step, size_t n)                               \
    {                                                                                                                              \
        const in_t *pa = x[0], *pb = x[1];                                                                                         \
        out_t *y = out;                                                                                                            \
                                                                                                                                   \
        (void)arg;                                                                                                                 \
        setup;                                                                                                                     \
        if (step[0] && step[1]) {                                                                                                  \
            for (size_t i = 0; i < n; i++) {                                                                                       \
                const in_t a = pa[i], b = pb[i];                                                                                   \
                y[i] = (out_t)(expr);                                                                                              \
            }                                                                                                                      \
        } else if (step[0]) {                                                                                                      \
            const in_t b = *pb;                                                                                                    \
            for (size_t i = 0; i < n; i++) {                                                                                       \
                const in_t a = pa[i];                                                                                              \
                y[i] = (out_t)(expr);                                                                                              \
            }                                                                                                                      \
        } else {                                                                                                                   \
            const in_t a = *pa;                                                                                                    \
            for (size_t i = 0; i < n; i++) {                                                                                       \
                const in_t b = pb[i];                                                                                              \
                y[i] = (out_t)(expr);                                                                                              \
            }                                                                                                                      \
        }                                                                                                                          \
    }

/* The same for FLOAT16: a and b are floats in `expr`, whose result is rounded once. */
#define BINARY_ROW_F16(name, setup, expr) BINARY_ROW(name, uint16_t, uint16_t, setup, half_from_float(expr))
#define HALF_A                            half_to_float(a)
#define HALF_B                            half_to_float(b)

/* And for BFLOAT16. */
#define BINARY_ROW_BF16(name, setup, expr) BINARY_ROW(name, uint16_t, uint16_t, setup, bfloat_from_float(expr))
#define BFLOAT_A                           bfloat_to_float(a)
#define BFLOAT_B                           bfloat_to_float(b)

#endif
