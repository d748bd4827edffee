/* SPDX-License-Identifier: Apache-2.0 */
/* bitcast.c - BITCAST between floats and integers of 32 bits, and from each to itself. */
#include "elementwise.h"

static const struct ir_fn fn_to_bits = {"BITCAST", 1, "floatBitsToInt(a)", NULL, .full = true};
static const struct ir_fn fn_from_bits = {"BITCAST", 1, NULL, "intBitsToFloat(a)", .full = true};

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    if (!gl_arity(n, 1, 1, 1, why) || !gl_runtime(n, 0, "input", why))
        return false;
    if (type_bits(n->in[0]->type) != 32 || type_bits(n->out[0]->type) != 32)
        return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "%s becomes %s", type_name(n->in[0]->type),
                          type_name(n->out[0]->type));
    return true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);

    if (!x || !y)
        return ir_nomem(err);
    y->full |= y->type == IR_FLOAT; /* any bits, of which a half holds few */
    if (x->type != y->type)
        return elementwise_map(ir, n, x->type == IR_INT ? &fn_from_bits : &fn_to_bits, NULL, ACT_NONE, err);
    return ir_copy(ir, x, y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_bitcast = {
    .max_version = 1, .in_types = FLOAT_OR_INT, .out_types = FLOAT_OR_INT, .accept = accept, .lower = lower};
