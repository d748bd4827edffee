/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast.h - runs a row function over tensors that broadcast into one output, numpy fashion.
 *
 * Dimensions that all inputs walk alike are merged first, so that the common cases (same shape, a scalar, one value per
 * channel) are a few long rows. Rows are cut and shared between threads; each element is computed on its own, so the cut
 * never shows in the result. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_BROADCAST_H
#define DELEGAUGE_KERNELS_CPU_COMMON_BROADCAST_H

#include "../../lib/kernel.h"
#include "clones.h"

#define BROADCAST_MAX_INPUTS 3

/* Computes y[0..n). Input i is read at x[i][j * step[i]]; step is 1, or 0 where one value serves the whole row. At least one
 * step is 1. `arg` is the op's own. */
typedef void (*broadcast_row)(const void *arg, void *y, const void *const *x, const size_t *step, size_t n);

/* Runs `row` over output 0 of the node with its first n_in inputs, whose shapes broadcast into the output's. Element types
 * have whole bytes. CPU_REFERENCE walks as broadcast_plain.h says. */
void broadcast_run(struct cpu_call *c, uint32_t n_in, broadcast_row row, const void *arg);

/* shape_binary for ops whose output takes the type of the inputs whatever the file says: there are files that say FLOAT32 where
 * the inputs are quantized, and TFLite corrects them silently, too. */
enum status broadcast_shape(struct node *n, struct err *err);

/* What c->packed begins with: the row function that prepare chose. What follows it is the op's own; the row function gets
 * the whole as `arg`. */
struct broadcast_plan {
    broadcast_row row;
};

/* Makes c->packed `bytes` long (a struct that begins with a broadcast_plan) and stores the row function in it. */
enum status broadcast_plan(struct cpu_call *c, broadcast_row row, size_t bytes, struct err *err);

/* A prepare function where the type of input 0 alone says which row function to take: both inputs must have that type, output
 * 0 the type `out` (TYPE_NONE: that of the inputs). */
enum status broadcast_plan_rows(struct cpu_call *c, const broadcast_row row[TYPE_COUNT], enum tensor_type out, struct err *err);

/* Only the checks on the inputs' and the output's types. */
enum status broadcast_types(const struct node *n, enum tensor_type out, struct err *err);

/* A run function for two inputs. */
enum status broadcast_plan_run(struct cpu_call *c, struct err *err);

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

#define NO_SETUP (void)0

/* The same for FLOAT16: a and b are floats in `expr`, whose result is rounded once. */
#define BINARY_ROW_F16(name, setup, expr) BINARY_ROW(name, uint16_t, uint16_t, setup, half_from_float(expr))
#define HALF_A                            half_to_float(a)
#define HALF_B                            half_to_float(b)

/* And for BFLOAT16. */
#define BINARY_ROW_BF16(name, setup, expr) BINARY_ROW(name, uint16_t, uint16_t, setup, bfloat_from_float(expr))
#define BFLOAT_A                           bfloat_to_float(a)
#define BFLOAT_B                           bfloat_to_float(b)

#endif
