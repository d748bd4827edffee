/* SPDX-License-Identifier: Apache-2.0 */
/* exact_table.h - functions of quantized values as tables, filled by the CPU's reference kernel of the operator itself. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Run the node's CPU kernel as CPU_REFERENCE on `n_elems` elements: x[i] in the place of input i, y in that of output 0, both of
 * these tensors' types and quantization and of shape [n_elems]. For operators that treat elements one by one. `n_x` is 1 or 2: the
 * node's other inputs stay. ST_BAD_MODEL and the like if the CPU would not run the node either. */
enum status exact_run(const struct node *n, void *const *x, uint32_t n_x, void *y, size_t n_elems, struct err *err);

/* f(x) of all values of input 0, or f(x, y) of all of inputs 0 and 1, which have few: entry (x - first[0]) * count[1] + (y -
 * first[1]). */
struct exact_table {
    int32_t first[2], count[2]; /* count[1] is 1 if there is one input */
    enum tensor_type type;      /* of the entries */
    const void *entries;        /* [count[0] * count[1]] */
};

/* Fill *t, its entries in memory of `a`. Fails as exact_run, whatever the values will be. For values at which the CPU fails, the
 * table has the nearest result: the root of a negative number is that of 0, and a division by 0 is one by the step above. */
enum status exact_table_fill(const struct node *n, uint32_t n_x, struct arena *a, struct exact_table *t, struct err *err);

/* y = t[in[0]], or t[in[0], in[1]], which broadcast to the shape of y. Entries are borrowed for the life of the ir. NULL: out of
 * memory. */
struct ir_op *ir_exact_table(struct ir *ir, const struct exact_table *t, struct ir_value *const *in, uint32_t n_in,
                             struct ir_value *y);

/* The kernel of an operator that treats one or two values by one, for kernels that leave some types to it. */
extern const struct gl_kernel gl_exact_table;
