/* SPDX-License-Identifier: Apache-2.0 */
/* map.h - runs a function over the elements of one tensor: every output element comes from the input element in its place.
 *
 * Input 0 and output 0 of the node have equally many elements, of types that the function knows. Nothing here fails but for memory
 * and types, in prepare. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_MAP_H
#define DELEGAUGE_KERNELS_CPU_COMMON_MAP_H

#include "kernels_cpu/common/row.h"
#include "lib/graph/kernel.h"

/* Elements below which a piece is not worth handing to another thread. A multiple of 64, so that pieces of sub-byte types
 * start on a byte. */
#define MAP_GRAIN 16384

/* Computes y[0..n) from x[0..n). `arg` is the op's own. Called from several threads at once, on parts that do not overlap. */
typedef void (*map_row)(const void *arg, void *y, const void *x, size_t n);

/* Runs `row` over input 0 and output 0 of the node, shared between threads in pieces of MAP_GRAIN elements; in CPU_REFERENCE `row`
 * gets PLAIN_ELEMS of them at once (broadcast_plain.h). */
void map_run(struct cpu_call *c, map_row row, const void *arg);

/* The head of c->packed: the function that prepare chose. The rest is the op's own; the function gets the whole as `arg`. */
struct map_plan {
    map_row row;
};

/* Makes c->packed `bytes` long (a struct that begins with a map_plan) and stores the function in it. */
enum status map_plan(struct cpu_call *c, map_row row, size_t bytes, struct err *err);

/* A prepare function for ops whose type of input 0 alone says which function to take; output 0 must have the same type. */
enum status map_plan_rows(struct cpu_call *c, const map_row row[TYPE_COUNT], struct err *err);

/* Only the check that input 0 and output 0 have the same type. */
enum status map_types(const struct node *n, struct err *err);

/* A run function. */
enum status map_plan_run(struct cpu_call *c, struct err *err);

/* Defines function `name`: y = expr(v), after the declarations of `setup` (which may read `arg`). */
#define MAP_ROW(name, in_t, out_t, setup, expr)                                                                                    \
    static void name(const void *arg, void *out, const void *in, size_t n)                                                         \
    {                                                                                                                              \
        const in_t *x = in;                                                                                                        \
        out_t *y = out;                                                                                                            \
                                                                                                                                   \
        (void)arg;                                                                                                                 \
        setup;                                                                                                                     \
        for (size_t i = 0; i < n; i++) {                                                                                           \
            const in_t v = x[i];                                                                                                   \
            y[i] = (out_t)(expr);                                                                                                  \
        }                                                                                                                          \
    }

/* The same for FLOAT16: `expr` of the float HALF_V, rounded once. */
#define MAP_ROW_F16(name, setup, expr) MAP_ROW(name, uint16_t, uint16_t, setup, half_from_float(expr))
#define HALF_V                         half_to_float(v)

/* And for BFLOAT16. */
#define MAP_ROW_BF16(name, setup, expr) MAP_ROW(name, uint16_t, uint16_t, setup, bfloat_from_float(expr))
#define BFLOAT_V                        bfloat_to_float(v)

#endif
