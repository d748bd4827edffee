/* SPDX-License-Identifier: Apache-2.0 */
/* select.c - SELECT and SELECT_V2: one of two elements, as a bool says. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"

const struct ir_fn fn_select = {"SELECT", "mix(c, b, notEqual(a, vec4(0.0)))", "mix(c, b, notEqual(a, vec4(0.0)))", .arity = 3};

static bool select_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_one_type(n, 1, 3, why))
        return false;
    if (n->in[0]->type != TYPE_BOOL)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "a condition of type %s", type_name(n->in[0]->type));
    return gl_operands_fit(lim, n, why);
}

static enum status select_v2_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return elementwise_map(ir, n, &fn_select, NULL, ACT_NONE, err);
}

/* A condition of rank 1 chooses along the first dimension, where SELECT_V2 would along the last. */
static enum status select_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct operands o = elementwise_operands(ir, n, 3);

    if (o.in[0] && n->in[0]->rank == 1 && o.rank > 1) {
        o.dim[0][o.rank - 1] = 1;
        o.dim[0][0] = n->in[0]->dim[0];
    }
    return elementwise_fold(ir, &o) && ir_map(ir, &fn_select, o.in, NULL, o.natural) && ir_end_reshape(ir, o.natural, o.y)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_select = {.max_version = 4, MOVES_ANY, .accept = select_accept, .lower = select_lower};
const struct gl_kernel gl_select_v2 = {.max_version = 2, MOVES_ANY, .accept = select_accept, .lower = select_v2_lower};
