/* SPDX-License-Identifier: Apache-2.0 */
/* floats.c - see floats.h */
#include "lib/gl/lower/floats.h"

static const struct ir_fn fn_round_half = {"FLOAT16", "round_half4(a)", NULL, .arity = 1, .helper = round_half_comp, .full = true};
static const struct ir_fn fn_round_bfloat = {"BFLOAT16", "round_bfloat4(a)",          NULL,
                                             .arity = 1, .helper = round_bfloat_comp, .full = true};

static bool is_short(const struct tensor *t)
{
    return TAKES_SHORT_FLOAT >> t->type & 1;
}

/* Every element of output `t` is an element of an input of its type. */
static bool only_moves(const struct ir *ir, const struct node *n, const struct tensor *t, uint32_t first)
{
    for (uint32_t i = first; i < ir->n_ops; i++)
        if (!(ir->ops[i]->kind->moves || ir->ops[i]->kind->role == IR_MAP) || ir->ops[i]->epilogue)
            return false;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->type != t->type && n->in[i]->type != TYPE_RESOURCE && ir_type_of(n->in[i]) == IR_FLOAT)
            return false;
    return true;
}

enum status gl_floats_round(struct ir *ir, const struct node *n, uint32_t first, struct err *err)
{
    for (uint32_t k = 0; k < n->n_out; k++) {
        const struct tensor *t = n->out[k];
        const struct ir_value *v = t && is_short(t) && !only_moves(ir, n, t, first) ? ir_of_tensor(ir, t) : NULL;

        for (uint32_t i = ir->n_ops; v && i-- > first;)
            if (ir->ops[i]->out == v &&
                !ir_apply(ir, ir->ops[i], t->type == TYPE_FLOAT16 ? &fn_round_half : &fn_round_bfloat, NULL, NULL, IR_FLOAT))
                return ir_nomem(err);
    }
    return ST_OK;
}
