/* SPDX-License-Identifier: Apache-2.0 */
/* logic.c - comparisons, LOGICAL_AND and its kin, SELECT, CAST, ONE_HOT: elementwise functions whose operands and result differ
 * in type. */
#include "moves.h"

static bool operands_fit(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return gl_stored(lim, n, 0, n->n_in, why) && gl_storage_blocks(lim, n->n_in + 1, why);
}

static enum status lower_map(struct ir *ir, const struct node *n, const struct ir_fn *fn, struct err *err)
{
    struct ir_value *in[3] = {NULL, NULL, NULL};

    for (uint32_t i = 0; i < fn->arity; i++)
        in[i] = ir_in(ir, n, i);
    return ir_map(ir, fn, in, NULL, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

/* ---- comparisons and logic: operands of one type, a bool as result ---- */

static bool compare_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct ir_fn *fn = n->op->gl->arg;

    (void)g;
    if (!gl_arity(n, fn->arity, fn->arity, 1, why))
        return false;
    if (ir_type_of(n->in[0]) != ir_type_of(n->in[fn->arity - 1]))
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "operands of types %s and %s", type_name(n->in[0]->type),
                          type_name(n->in[1]->type));
    return operands_fit(lim, n, why);
}

static enum status compare_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower_map(ir, n, n->op->gl->arg, err);
}

#define COMPARISON(name, op, version, types, function)                                                                             \
    static const struct ir_fn fn_##name = {op, 2, "vec4(" function "(a, b))", "vec4(" function "(a, b))"};                         \
    const struct gl_kernel gl_##name = {.max_version = (version),                                                                  \
                                        .in_types = (types),                                                                       \
                                        .out_types = TAKES_BOOL,                                                                   \
                                        .accept = compare_accept,                                                                  \
                                        .lower = compare_lower,                                                                    \
                                        .arg = &fn_##name};

COMPARISON(equal, "EQUAL", 4, TAKES_ANY, "equal")
COMPARISON(greater, "GREATER", 2, TAKES_FLOAT | TAKES_INT, "greaterThan")
COMPARISON(greater_equal, "GREATER_EQUAL", 3, TAKES_FLOAT | TAKES_INT, "greaterThanEqual")
COMPARISON(less, "LESS", 3, TAKES_FLOAT | TAKES_INT, "lessThan")
COMPARISON(less_equal, "LESS_EQUAL", 2, TAKES_FLOAT | TAKES_INT, "lessThanEqual")
COMPARISON(not_equal, "NOT_EQUAL", 3, TAKES_ANY, "notEqual")

/* Bools are 0 or 1. */
#define LOGIC(name, op, arity, expression)                                                                                         \
    static const struct ir_fn fn_##name = {op, arity, expression, NULL};                                                           \
    const struct gl_kernel gl_##name = {.max_version = 1,                                                                          \
                                        .in_types = TAKES_BOOL,                                                                    \
                                        .out_types = TAKES_BOOL,                                                                   \
                                        .accept = compare_accept,                                                                  \
                                        .lower = compare_lower,                                                                    \
                                        .arg = &fn_##name};

LOGIC(logical_and, "LOGICAL_AND", 2, "a * b")
LOGIC(logical_not, "LOGICAL_NOT", 1, "vec4(1.0) - a")
LOGIC(logical_or, "LOGICAL_OR", 2, "max(a, b)")

/* ---- SELECT, SELECT_V2 ---- */

static const struct ir_fn fn_select = {"SELECT", 3, "mix(c, b, notEqual(a, vec4(0.0)))", "mix(c, b, notEqual(a, vec4(0.0)))"};

static bool select_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)g;
    if (!gl_arity(n, 3, 3, 1, why) || !gl_one_type(n, 1, 3, why))
        return false;
    if (n->in[0]->type != TYPE_BOOL)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "a condition of type %s", type_name(n->in[0]->type));
    return operands_fit(lim, n, why);
}

static enum status select_v2_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower_map(ir, n, &fn_select, err);
}

/* A condition of rank 1 chooses along the first dimension, where SELECT_V2 would along the last. */
static enum status select_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *y = ir_out(ir, n, 0), *in[3] = {ir_in(ir, n, 0), ir_in(ir, n, 1), ir_in(ir, n, 2)};
    int32_t rank = n->out[0]->rank;

    if (in[0] && n->in[0]->rank == 1 && rank > 1)
        in[0] = ir_view(ir, in[0], ir_with((struct ir_shape){1, 1, 1, 1}, ir_axis(rank, 0), n->in[0]->dim[0]));
    return ir_map(ir, &fn_select, in, NULL, y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_select = {
    .max_version = 4, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = select_accept, .lower = select_lower};
const struct gl_kernel gl_select_v2 = {
    .max_version = 2, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = select_accept, .lower = select_v2_lower};

/* ---- CAST ---- */

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
        return lower_map(ir, n, &fn_to_bool, err);
    if (from != to && to == IR_INT)
        return lower_map(ir, n, &fn_to_int, err);
    if (from == IR_INT && to == IR_FLOAT)
        return lower_map(ir, n, &fn_to_float, err);
    return ir_copy(ir, ir_in(ir, n, 0), ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_cast = {
    .max_version = 7, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = cast_accept, .lower = cast_lower};

/* ---- ONE_HOT: an index compared with 0, 1, 2, ... along the new axis chooses one of two values ---- */

static bool one_hot_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)g;
    if (!gl_arity(n, 4, 4, 1, why) || !gl_runtime(n, 0, "index", why) || !gl_constant(n, 1, "depth", why))
        return false;
    if (n->in[0]->type != TYPE_INT32)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "indices of type %s", type_name(n->in[0]->type));
    /* Constant scalars are written into the shader. */
    return gl_one_type(n, 2, 4, why) && gl_stored(lim, n, 2, 4, why) &&
           gl_storage_blocks(lim, 3 + !n->in[2]->is_const + !n->in[3]->is_const, why);
}

static enum status one_hot_lower(struct ir *ir, const struct node *n, struct err *err)
{
    int32_t axis = ((const struct opt_one_hot *)n->opt)->axis, rank = n->out[0]->rank, depth;
    struct ir_value *y = ir_out(ir, n, 0), *index, *choices[3] = {NULL, ir_in(ir, n, 2), ir_in(ir, n, 3)}, *ramp;
    struct ir_op *op;

    if (!y || !choices[1] || !choices[2])
        return ir_nomem(err);
    axis = ir_axis(rank, axis < 0 ? rank + axis : axis);
    depth = ir_dim(y->shape, axis);
    index = ir_view(ir, ir_in(ir, n, 0), ir_with(y->shape, axis, 1));
    ramp = ir_const(ir, IR_INT, ir_with((struct ir_shape){1, 1, 1, 1}, axis, depth), ir_range(ir, 0, 1, depth));
    if (!index || !ramp || !(op = ir_copy(ir, index, y)))
        return ir_nomem(err);
    op->stores = IR_INT;
    return ir_apply(ir, op, &fn_equal, (struct ir_value *[3]){NULL, ramp}, NULL, IR_BOOL) &&
                   ir_apply(ir, op, &fn_select, choices, NULL, y->type)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_one_hot = {
    .max_version = 1, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = one_hot_accept, .lower = one_hot_lower};
