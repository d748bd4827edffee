/* SPDX-License-Identifier: Apache-2.0 */
/* exact_rnn.c - see exact_rnn.h */
#include "kernels_gl/recurrent/exact_rnn.h"

#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/matmul/exact_hybrid_rows.h"
#include "kernels_gl/recurrent/exact_walk.h"

static bool add(struct ir *ir, struct ir_op *op, struct ir_value *more)
{
    return ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, more}, NULL, IR_FLOAT);
}

static bool step(struct ir *ir, const void *arg, const struct exact_step *s)
{
    const struct exact_rnn *cell = arg;
    struct ir_op *op = ir_exact_hybrid_rows(ir, s->h, cell->recurrent, NULL, cell->asymmetric, s->y);

    return add(ir, op, s->x) && ir_activation(ir, op, cell->activation);
}

enum status exact_rnn_lower(struct ir *ir, const struct node *n, const struct exact_rnn *cell, const struct recurrent *r,
                            struct err *err)
{
    struct ir_value *sums = r->y ? ir_temp_full(ir, IR_FLOAT, ir_with(r->y->shape, 3, cell->recurrent->dim[0])) : NULL;
    struct ir_value *all = cell->aux && sums ? ir_temp_full(ir, IR_FLOAT, sums->shape) : sums;

    if (!ir_exact_hybrid_rows(ir, r->x, cell->input, cell->bias, cell->asymmetric, sums) ||
        (cell->aux && !add(ir, ir_exact_hybrid_rows(ir, r->aux, cell->aux, NULL, cell->asymmetric, all), sums)))
        return ir_nomem(err);
    return exact_walk(ir, n, &(struct exact_walk){.r = r, .x = all, .cell = cell, .step = step}, err);
}
