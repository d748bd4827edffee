/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast_row.h - functions that compute one row of a broadcasting operator, and macros that define them.
 *
 * broadcast.h calls them on rows as long as merging makes them, broadcast_plain.h on a few elements at a time. So a row function
 * must not depend on the begin or end of a row. Each operator has a table of its row functions by type (arith.c, binary.c,
 * compare.c). */
#pragma once

#include <stddef.h>

#include "kernels_cpu/common/clones.h"

/* The most inputs that broadcast into one output (SELECT_V2). */
#define BROADCAST_MAX_INPUTS 3

/* Compute y[0..n). Input i is read at x[i][j * step[i]]; step is 1, or 0 if one value serves the whole row. At least one step is 1.
 * `arg` is the operator's plan in c->packed. Called from several threads at once, on rows that do not overlap; cannot fail. */
typedef void (*broadcast_row)(const void *arg, void *y, const void *const *x, const size_t *step, size_t n);

/* Define row function `name` of two inputs of element type in_t: y = expr(a, b), converted to out_t, after the declarations of
 * `setup` (which may read `arg`). The three loops let the compiler keep a broadcast value in a register and vectorise the rest;
 * CLONES may stand before the macro. */
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

/* Define a row function of FLOAT16 inputs and output: `expr` uses HALF_A and HALF_B, the inputs as floats; its result is rounded
 * once, to nearest even. */
#define BINARY_ROW_F16(name, setup, expr) BINARY_ROW(name, uint16_t, uint16_t, setup, half_from_float(expr))
#define HALF_A                            half_to_float(a)
#define HALF_B                            half_to_float(b)

/* Define a row function of BFLOAT16 inputs and output: `expr` uses BFLOAT_A and BFLOAT_B. */
#define BINARY_ROW_BF16(name, setup, expr) BINARY_ROW(name, uint16_t, uint16_t, setup, bfloat_from_float(expr))
#define BFLOAT_A                           bfloat_to_float(a)
#define BFLOAT_B                           bfloat_to_float(b)
