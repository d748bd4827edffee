/* SPDX-License-Identifier: Apache-2.0 */
/* arg_minmax.c - ARG_MAX and ARG_MIN: the index along an axis of the largest or smallest element, the first of equals. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/split_k.h"
#include "kernels_gl/common/workgroup_reduce.h"
#include "lib/gl/ir/fold.h"

struct arg {
    int axis;
    bool max;
    int32_t block, parts; /* elements of one invocation, and how many such blocks the axis has. Where they are channels, the results
                             of several lie beside each other along W */
};

/* in: what is searched; with a second one that holds indices, those of the elements in question. out2: the elements found. */

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct arg *a = op->attr;

    gl_source(p, arg_minmax_comp);
    gl_define_types(p, op->in[0]->type);
    gl_define(p, "AXIS", a->axis);
    gl_define_text(p, "BETTER(a, b)", a->max ? "greaterThan(a, b)" : "lessThan(a, b)");
    gl_define(p, "FLOATS", op->in[0]->type != IR_INT);
    GL_PARAMS(p, "BLOCK PARTS", a->block, a->parts);
    gl_operands(p, "x at");
    if (op->n_in > 1)
        gl_define(p, "INDEXED", 1);
    if (op->out2) {
        gl_define(p, "PARTIAL", 1);
        gl_output(p, "found", op->out2);
    }
}

static void emit_serial(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op);
    gl_shared(p, 0);
}

static uint64_t steps(const struct ir_op *op)
{
    return (uint64_t)((const struct arg *)op->attr)->block;
}

static uint64_t iterations(const struct ir_op *op)
{
    return GL_PASSES(steps(op) - 1);
}

static bool can_split(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return op->n_in == 1 && !op->out2 && split_k_fits(steps(op));
}

static bool is_long(const struct ir_op *op, const struct gl_limits *lim)
{
    return split_k_pays(steps(op), iterations(op), ir_vectors(op->out->shape), lim);
}

/* The best of each block, then the best of those: the first blocks come first, so that the first of equals stays it. */
static bool split(struct ir *ir, const struct ir_op *op)
{
    const struct arg *whole = op->attr;
    struct arg part = *whole, rest = *whole;
    struct ir_value *x = op->in[0], *best, *at;
    struct ir_shape s = x->shape;
    struct ir_op *first, *last;

    part.block = split_k_length((uint64_t)whole->block, ir_vectors(op->out->shape));
    part.parts = rest.block = split_k_count(whole->block, part.block);
    if (part.axis < 3)
        s = ir_with(s, part.axis, part.parts);
    else
        s = (struct ir_shape){s.b, s.h, s.w * part.parts, 1};
    best = ir_temp_full(ir, x->type, s);
    at = ir_temp(ir, IR_INT, s);
    first = ir_op_with(ir, &gl_kind_arg, IR_INS(x), at, &part, sizeof part);
    last = ir_op_with(ir, &gl_kind_arg, IR_INS(best, at), op->out, &rest, sizeof rest);
    if (!best || !first || !ir_hand_over(op, last))
        return false;
    first->out2 = best;
    return true;
}

/* ---- by a workgroup ---- */

static bool workgroup_reduce_can(const struct ir_op *op, const struct gl_limits *lim)
{
    return workgroup_reduce_fits(op, steps(op), lim);
}

static bool workgroup_reduce_should(const struct ir_op *op, const struct gl_limits *lim)
{
    return workgroup_reduce_pays(op, steps(op), lim);
}

static void emit_tree(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op);
    workgroup_reduce_emit(p, op, arg_minmax_comp, 2 * VECTOR_BYTES);
}

static uint64_t iterations_of_tree(const struct ir_op *op)
{
    return GL_PASSES(steps(op) / REDUCE_LANES) + workgroup_reduce_iterations();
}

static const struct gl_variant variants[] = {
    {"tree", workgroup_reduce_can, emit_tree, .iterations = iterations_of_tree, .pays = workgroup_reduce_should},
    {"split", can_split, .expand = split, .pays = is_long},
    {"serial", NULL, emit_serial, .iterations = iterations},
};
const struct ir_kind gl_kind_arg = {.name = "arg_minmax", .constants = 1, GL_VARIANTS(variants)};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    int32_t axis;

    (void)lim;
    return gl_runtime(n, 0, "input", why) && gl_axis(n, 1, n->in[0]->rank, &axis, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0), *natural;
    const struct tensor *t = n->in[0];
    struct ir_folded all = {.dim = t->dim};
    struct ir_fold f;
    struct reason why;
    int32_t axis;

    if (!gl_axis(n, 1, t->rank, &axis, &why))
        return err_set(err, ST_UNSUPPORTED, "%s", why.text);
    if (!x || !y)
        return ir_nomem(err);
    all.stored = x->shape;
    ir_fold_best(t->rank, ir_fold_around(t->dim, t->rank, axis), &all, 1, &f);
    axis = ir_fold_axis(&f, axis);
    if (!(x = ir_reshaped(ir, x, ir_fold_shape(&f, t->dim))))
        return ir_nomem(err);
    natural = ir_begin_reshape(ir, y, ir_with(x->shape, axis, 1));
    return ir_op_with(ir, &gl_kind_arg, IR_INS(x), natural,
                      IR_ATTR(struct arg, axis, n->op->gl->arg != NULL, ir_dim(x->shape, axis), 1)) &&
                   ir_end_reshape(ir, natural, y)
               ? ST_OK
               : ir_nomem(err);
}

/* Indices have 32 bits here; as INT64 they leave the partition. */
#define TAKES_INDEX (TAKES_INT | 1u << TYPE_INT64)

const struct gl_kernel gl_arg_max = {.max_version = 3,
                                     .quantized = TAKES_QUANTIZED,
                                     .in_types = TAKES_ANY,
                                     .out_types = TAKES_INDEX,
                                     .accept = accept,
                                     .lower = lower,
                                     .arg = &gl_kind_arg};
const struct gl_kernel gl_arg_min = {.max_version = 3,
                                     .quantized = TAKES_QUANTIZED,
                                     .in_types = TAKES_ANY,
                                     .out_types = TAKES_INDEX,
                                     .accept = accept,
                                     .lower = lower};
