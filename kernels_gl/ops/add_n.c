/* SPDX-License-Identifier: Apache-2.0 */
/* add_n.c - ADD_N: any number of operands, added one after the other. */
#include "kernels_gl/common/elementwise.h"

static bool add_n_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return gl_runtime(n, 0, "first operand", why) && elementwise_one_type(n, why);
}

static enum status add_n_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *sum = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);

    if (n->n_in == 1)
        return ir_copy(ir, sum, y) ? ST_OK : ir_nomem(err);
    for (uint32_t i = 1; i < n->n_in && sum && y; i++) {
        struct ir_value *to = i + 1 < n->n_in ? ir_temp(ir, y->type, y->shape) : y;

        sum = ir_map(ir, &fn_add, (struct ir_value *[3]){sum, ir_in(ir, n, i), NULL}, NULL, to) ? to : NULL;
    }
    return sum ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_add_n = {
    .max_version = 2, .in_types = FLOAT_OR_INT, .out_types = FLOAT_OR_INT, .accept = add_n_accept, .lower = add_n_lower};
