/* SPDX-License-Identifier: Apache-2.0 */
/* cast.c - CAST between floats, integers and bools as they are stored. */
#include "elementwise.h"

static const struct ir_fn fn_to_int = {"CAST", 1, "ivec4(a)", NULL};
static const struct ir_fn fn_to_float = {"CAST", 1, NULL, "vec4(a)"};
static const struct ir_fn fn_to_bool = {"CAST", 1, "vec4(notEqual(a, vec4(0.0)))", "vec4(notEqual(a, ivec4(0)))"};

static bool cast_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)g;
    (void)lim;
    return gl_arity(n, 1, 1, 1, why) && gl_runtime(n, 0, "input", why);
}

static enum status cast_lower(struct ir *ir, const struct node *n, struct err *err)
{
    enum ir_type from = ir_type_of(n->in[0]), to = ir_type_of(n->out[0]);

    if (from != to && to == IR_BOOL)
        return elementwise_map(ir, n, &fn_to_bool, NULL, ACT_NONE, err);
    if (from != to && to == IR_INT)
        return elementwise_map(ir, n, &fn_to_int, NULL, ACT_NONE, err);
    if (from == IR_INT && to == IR_FLOAT)
        return elementwise_map(ir, n, &fn_to_float, NULL, ACT_NONE, err);
    return ir_copy(ir, ir_in(ir, n, 0), ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_cast = {
    .max_version = 7, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = cast_accept, .lower = cast_lower};
