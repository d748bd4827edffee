/* SPDX-License-Identifier: Apache-2.0 */
/* arg_minmax.c - ARG_MAX and ARG_MIN: where along an axis the largest or smallest element is, the first of equals. */
#include "data_movement.h"

struct arg {
    int axis;
    bool max;
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct arg *a = op->attr;

    gl_source(p, arg_minmax_comp);
    gl_define_types(p, op->in[0]->type);
    gl_define(p, "AXIS", a->axis);
    gl_define_text(p, "BETTER(a, b)", a->max ? "greaterThan(a, b)" : "lessThan(a, b)");
    gl_define(p, "FLOATS", op->in[0]->type != IR_INT);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static uint64_t iterations(const struct ir_op *op)
{
    return GL_PASSES((uint64_t)ir_dim(op->in[0]->shape, ((const struct arg *)op->attr)->axis) - 1);
}

static const struct gl_variant variants[] = {{"serial", NULL, emit, iterations}, {NULL}};
static const struct ir_kind kind_arg = {.name = "arg_minmax", .variants = variants};

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    int32_t axis;

    (void)lim;
    (void)g;
    return gl_arity(n, 2, 2, 1, why) && gl_runtime(n, 0, "input", why) && gl_axis(n, 1, n->in[0]->rank, &axis, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0), *natural;
    struct reason why;
    struct ir_op *op;
    int32_t axis;

    if (!gl_axis(n, 1, n->in[0]->rank, &axis, &why))
        return err_set(err, ST_UNSUPPORTED, "%s", why.text);
    if (!x || !y)
        return ir_nomem(err);
    axis = ir_axis(n->in[0]->rank, axis);
    natural = ir_begin_reshape(ir, y, ir_with(x->shape, axis, 1));
    op = ir_op_new(ir, &kind_arg, IR_INS(x), natural, sizeof(struct arg));
    if (!op || !ir_end_reshape(ir, natural, y))
        return ir_nomem(err);
    *(struct arg *)op->attr = (struct arg){axis, n->op->gl->arg != NULL};
    return ST_OK;
}

const struct gl_kernel gl_arg_max = {.max_version = 3,
                                     .in_types = TAKES_FLOAT | TAKES_INT,
                                     .out_types = TAKES_INT,
                                     .accept = accept,
                                     .lower = lower,
                                     .arg = &kind_arg};
const struct gl_kernel gl_arg_min = {
    .max_version = 3, .in_types = TAKES_FLOAT | TAKES_INT, .out_types = TAKES_INT, .accept = accept, .lower = lower};
