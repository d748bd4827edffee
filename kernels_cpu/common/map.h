/* SPDX-License-Identifier: Apache-2.0 */
/* map.h - runs a function over the elements of one tensor: output element i is computed from input element i.
 *
 * Input 0 and output 0 of the node have the same number of elements, of types that the function supports. Only prepare can fail,
 * for lack of memory or by types. */
#pragma once

#include "kernels_cpu/common/clones.h"
#include "lib/graph/kernel.h"

/* Fewest elements worth handing to another thread. A multiple of 64, so that pieces of sub-byte types start at whole bytes. */
#define MAP_GRAIN 16384

/* Compute y[0..n) from x[0..n). `arg` belongs to the operator. Called from several threads at once, on parts that do not overlap.
 */
typedef void (*map_row)(const void *arg, void *y, const void *x, size_t n);

/* Run `row` over input 0 and output 0 of the node; threads share pieces of MAP_GRAIN elements. In CPU_REFERENCE each call gets
 * PLAIN_ELEMS elements (broadcast_plain.h). */
void map_run(struct cpu_call *c, map_row row, const void *arg);

/* The head of c->packed: the function that prepare chose. The operator's own data follows; the function gets the whole as `arg`. */
struct map_plan {
    map_row row;
};

/* Allocate c->packed with `bytes` bytes (a struct that begins with a map_plan) and store the function in it. Fails as cpu_pack. */
enum status map_plan(struct cpu_call *c, map_row row, size_t bytes, struct err *err);

/* cpu_kernel.prepare of operators that choose the function by the type of input 0 alone: store row[type], after checking that
 * output 0 has the same type. Fails with ST_BAD_MODEL if it has not, as cpu_bad_type if row[type] is NULL. */
enum status map_plan_rows(struct cpu_call *c, const map_row row[TYPE_COUNT], struct err *err);

/* Check that input 0 and output 0 have the same type. Fails with ST_BAD_MODEL. */
enum status map_types(const struct node *n, struct err *err);

/* cpu_kernel.run: run the function in c->packed. */
enum status map_plan_run(struct cpu_call *c, struct err *err);

/* Define function `name`: y = expr(v), after the declarations of `setup` (which may read `arg`). */
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

/* Define a function of FLOAT16: `expr` uses the float HALF_V; its result is rounded once. */
#define MAP_ROW_F16(name, setup, expr) MAP_ROW(name, uint16_t, uint16_t, setup, half_from_float(expr))
#define HALF_V                         half_to_float(v)

/* Define a function of BFLOAT16: `expr` uses the float BFLOAT_V. */
#define MAP_ROW_BF16(name, setup, expr) MAP_ROW(name, uint16_t, uint16_t, setup, bfloat_from_float(expr))
#define BFLOAT_V                        bfloat_to_float(v)
