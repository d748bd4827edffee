/* SPDX-License-Identifier: Apache-2.0 */
/* cumsum.c - CUMSUM: sums of all elements up to each one along an axis. */
#include "../lib/gl/fold.h"
#include "data_movement.h"
#include "parts.h"

struct cumsum {
    int axis;
    bool exclusive, reverse;
    int32_t block, parts; /* elements (of channels: slices) of one invocation, and how many such blocks the axis has */
};

/* in: what is summed; with a second one, the sum of all blocks before each block. */
static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct cumsum *c = op->attr;
    struct ir_shape y = op->out->shape, lines = ir_with(y, c->axis, c->axis == 3 ? 4 * c->parts : c->parts);

    gl_source(p, cumsum_comp);
    gl_define_types(p, op->stores);
    gl_define(p, "AXIS", c->axis);
    gl_define(p, "EXCLUSIVE", c->exclusive);
    gl_define(p, "REVERSE", c->reverse);
    gl_param(p, "BLOCK", c->block);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    if (op->n_in > 1) {
        gl_define(p, "CONTINUED", 1);
        gl_input(p, "before", op->in[1]);
    }
    gl_grid(p, lines);
}

static uint64_t iterations(const struct ir_op *op)
{
    return GL_PASSES((uint64_t)((const struct cumsum *)op->attr)->block);
}

static uint64_t invocations(const struct ir_op *op)
{
    const struct cumsum *c = op->attr;

    return ir_vectors(ir_with(op->out->shape, c->axis, 1));
}

static bool can_split(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return op->n_in == 1 && parts_fit((uint64_t)((const struct cumsum *)op->attr)->block);
}

static bool is_long(const struct ir_op *op, const struct gl_limits *lim)
{
    return parts_pay((uint64_t)((const struct cumsum *)op->attr)->block, iterations(op), invocations(op), lim);
}

static struct ir_op *cumsum_new(struct ir *ir, struct ir_value *const *in, uint32_t n_in, const struct cumsum *c,
                                struct ir_value *y)
{
    struct ir_op *op = ir_op_new(ir, &gl_kind_cumsum, in, n_in, y, sizeof *c);

    if (op)
        *(struct cumsum *)op->attr = *c;
    return op;
}

/* Sums of blocks; of those, the sums before each; then each block from there on. Of channels, the sums of a block are four, one a
 * lane, and the first or, in reverse, the last of the four has all that comes before. */
static bool split(struct ir *ir, const struct ir_op *op)
{
    const struct cumsum *whole = op->attr;
    struct cumsum part = *whole, scan = *whole;
    int32_t block[4] = {1, 1, 1, 1};
    struct ir_shape s = op->out->shape;
    struct ir_value *sums, *before;

    part.block = block[whole->axis] = parts_length((uint64_t)whole->block, invocations(op));
    part.parts = scan.block = parts_count(whole->block, part.block);
    scan.exclusive = true;
    s = ir_with(s, whole->axis, whole->axis == 3 ? 4 * part.parts : part.parts);
    sums = ir_temp_full(ir, op->stores, s);
    before = ir_temp_full(ir, op->stores, s);
    return ir_block_sums(ir, op->in[0], block, true, sums) && cumsum_new(ir, IR_INS(sums), &scan, before) &&
           ir_hand_over(op, cumsum_new(ir, IR_INS(op->in[0], before), &part, op->out));
}

static const struct gl_variant variants[] = {
    {"split", can_split, .expand = split, .pays = is_long},
    {"serial", NULL, emit, iterations},
};
const struct ir_kind gl_kind_cumsum = {.name = "cumsum", .constants = 1, GL_VARIANTS(variants)};

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
    const struct tensor *t = n->out[0];
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0), *natural;
    struct ir_folded all = {.dim = t->dim};
    struct cumsum c = {.exclusive = o->exclusive, .reverse = o->reverse, .parts = 1};
    struct ir_fold f;
    struct reason why;
    int32_t axis;

    if (!gl_axis(n, 1, t->rank, &axis, &why))
        return err_set(err, ST_UNSUPPORTED, "%s", why.text);
    if (!x || !y)
        return ir_nomem(err);
    all.stored = y->shape;
    ir_fold_best(t->rank, ir_fold_around(t->dim, t->rank, axis), &all, 1, &f);
    natural = ir_begin_reshape(ir, y, ir_fold_shape(&f, t->dim));
    if (!natural)
        return ir_nomem(err);
    c.axis = ir_fold_axis(&f, axis);
    c.block = c.axis == 3 ? ir_slices(natural->shape) : ir_dim(natural->shape, c.axis);
    x = ir_reshaped(ir, x, natural->shape);
    return cumsum_new(ir, IR_INS(x), &c, natural) && ir_end_reshape(ir, natural, y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_cumsum = {.max_version = 1,
                                    .quantized = TAKES_QUANTIZED,
                                    .in_types = TAKES_FLOAT | TAKES_INT,
                                    .out_types = TAKES_FLOAT | TAKES_INT,
                                    .accept = accept,
                                    .lower = lower};
