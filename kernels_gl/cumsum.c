/* SPDX-License-Identifier: Apache-2.0 */
/* cumsum.c - CUMSUM: sums of all elements up to each one along an axis. */
#include "data_movement.h"

struct cumsum {
    int axis;
    bool exclusive, reverse;
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct cumsum *c = op->attr;
    struct ir_shape y = op->out->shape, lines = ir_with(y, c->axis, 1);

    gl_source(p, cumsum_comp);
    gl_define_types(p, op->stores);
    gl_define(p, "AXIS", c->axis);
    gl_define(p, "EXCLUSIVE", c->exclusive);
    gl_define(p, "REVERSE", c->reverse);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    gl_grid(p, lines);
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct cumsum *c = op->attr;

    return GL_PASSES((uint64_t)(c->axis == 3 ? ir_slices(op->out->shape) : ir_dim(op->out->shape, c->axis)));
}

static const struct gl_variant variants[] = {{"serial", NULL, emit, iterations}, {NULL}};
static const struct ir_kind kind_cumsum = {.name = "cumsum", .variants = variants};

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    int32_t axis;

    (void)lim;
    (void)g;
    return gl_arity(n, 2, 2, 1, why) && gl_runtime(n, 0, "input", why) && gl_one_type(n, 0, 1, why) &&
           gl_axis(n, 1, n->in[0]->rank, &axis, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_cumsum *o = n->opt;
    struct ir_op *op = ir_op_new(ir, &kind_cumsum, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), sizeof(struct cumsum));
    struct reason why;
    int32_t axis;

    if (!gl_axis(n, 1, n->in[0]->rank, &axis, &why))
        return err_set(err, ST_UNSUPPORTED, "%s", why.text);
    if (!op)
        return ir_nomem(err);
    *(struct cumsum *)op->attr = (struct cumsum){ir_axis(n->in[0]->rank, axis), o->exclusive, o->reverse};
    return ST_OK;
}

const struct gl_kernel gl_cumsum = {
    .max_version = 1, .in_types = TAKES_FLOAT | TAKES_INT, .out_types = TAKES_FLOAT | TAKES_INT, .accept = accept, .lower = lower};
