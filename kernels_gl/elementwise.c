/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.c - see elementwise.h */
#include "elementwise.h"

bool elementwise_one_type(const struct node *n, struct reason *why)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if ((n->in[i]->type == TYPE_INT32) != (n->out[0]->type == TYPE_INT32) || n->in[i]->type == TYPE_INT64)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s, the output %s", i,
                              type_name(n->in[i]->type), type_name(n->out[0]->type));
    return true;
}

bool elementwise_operands_fit(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return gl_stored(lim, n, 0, n->n_in, why);
}

static bool constants_fit(const struct node *n, struct reason *why)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i]->rank > 4)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "input %u is %s, at most rank 4 is supported", i,
                              TENSOR_TEXT(n->in[i]));
    return true;
}

bool elementwise_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    uint32_t arity = ((const struct ir_fn *)n->op->gl->arg)->arity;

    (void)lim;
    (void)g;
    return gl_arity(n, arity, arity, 1, why) && elementwise_one_type(n, why) && constants_fit(n, why);
}

enum status elementwise_map(struct ir *ir, const struct node *n, const struct ir_fn *fn, const float p[4], enum activation act,
                            struct err *err)
{
    struct ir_value *in[3] = {NULL, NULL, NULL};

    for (uint32_t i = 0; i < fn->arity; i++)
        in[i] = ir_in(ir, n, i);
    return ir_activation(ir, ir_map(ir, fn, in, p, ir_out(ir, n, 0)), act) ? ST_OK : ir_nomem(err);
}

enum status elementwise_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return elementwise_map(ir, n, n->op->gl->arg, NULL, ACT_NONE, err);
}
