/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_block.c - see reduce_block.h */
#include "kernels_gl/ops/reduce_block.h"

#include "kernels_gl/common/int64_value.h"
#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"
#include "kernels_gl/common/split_k.h"
#include "kernels_gl/common/workgroup_reduce.h"

static void emit_product(struct gl_shader *p, const struct exact_product *e)
{
    gl_source_with(p, exact_wide_comp, exact_product_comp);
    GL_PARAMS(p, "X_ZERO Y_ZERO LEAST MOST MULT SHIFT", e->x_zero, e->y_zero, e->lo, e->hi, e->mult, e->shift);
}

static void emit_reducer(struct gl_shader *p, const struct ir_op *op)
{
    const struct reduce *r = op->attr;

    if (r->in_order && r->count)
        gl_source_with(p, exact_divide_comp, reduce_comp);
    else
        gl_source(p, reduce_comp);
    gl_define_types(p, op->stores);
    gl_define_text(p, "COMBINE(a, b)", r->fn->combine);
    if (op->stores == IR_INT)
        gl_param(p, "INIT", r->fn->init_int);
    else
        gl_param_float(p, "INIT", r->fn->init);
    reduce_map_emit(p, op, &r->map);
}

static void emit_wide(struct gl_shader *p, const struct reducer *fn)
{
    gl_source_with(p, int64_value_comp, int64_reduce_comp);
    gl_define_text(p, "COMBINE(a, b)", fn->wide);
    GL_PARAMS(p, "INIT_LOW INIT_HIGH", fn->init_words[0], fn->init_words[1]);
}

/* That of the elements, of whatever size. */
static struct ir_shape shape_of(const struct reduce *r, const struct ir_value *v)
{
    return r->wide ? int64_half_shape(v->shape) : v->shape;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const blocks[] = {"BLOCK_B", "BLOCK_H", "BLOCK_W"};
    const struct reduce *r = op->attr;

    if (r->fn->product)
        emit_product(p, r->fn->product);
    else if (r->wide)
        emit_wide(p, r->fn);
    else
        emit_reducer(p, op);
    for (int axis = 0; axis < 3; axis++)
        gl_param(p, blocks[axis], r->block[axis]);
    if (r->over_c) {
        gl_define(p, "OVER_C", 1);
        gl_param(p, "BLOCK_S", r->block[3]);
    }
    if (r->across)
        gl_define(p, "ACROSS", 1);
    gl_define(p, "IN_ORDER", r->in_order);
    if (r->count) {
        gl_define(p, "MEAN", 1);
        gl_param(p, "COUNT", r->count);
    }
    gl_operands(p, "x with");
    gl_grid(p, shape_of(r, op->out));
}

static void emit_serial(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op);
    GL_DEFINES(p, "LANES_B LANES_H LANES_W LANES_S", 1, 1, 1, 1);
    gl_shared(p, 0);
}

/* Passes where so many lanes take turns along each axis. */
static uint64_t passes(const struct reduce *r, const int32_t lanes[4])
{
    uint64_t n[4];

    for (int axis = 0; axis < 4; axis++)
        n[axis] = (uint64_t)split_k_count(r->block[axis], lanes[axis]);
    return gl_passes(n, r->over_c ? 4 : 3);
}

static uint64_t iterations(const struct ir_op *op)
{
    return passes(op->attr, (const int32_t[]){1, 1, 1, 1});
}

static uint64_t steps(const struct reduce *r)
{
    return (uint64_t)r->block[0] * (uint64_t)r->block[1] * (uint64_t)r->block[2] * (uint64_t)r->block[3];
}

/* There is one block along each axis that is folded, so that parts cannot reach into a second. */
static bool ends_with_input(const struct reduce *r, struct ir_shape x)
{
    for (int axis = 0; axis < 4; axis++)
        if (r->block[axis] > 1 && r->block[axis] < (axis == 3 ? ir_slices(x) : ir_dim(x, axis)))
            return false;
    return true;
}

static bool can_split(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct reduce *r = op->attr;

    (void)lim;
    return !r->part && !r->in_order && ends_with_input(r, shape_of(r, op->in[0])) && split_k_fits(steps(r));
}

static bool is_long(const struct ir_op *op, const struct gl_limits *lim)
{
    return split_k_pays(steps(op->attr), iterations(op), ir_vectors(op->out->shape), lim);
}

struct ir_op *ir_reduce_blocks(struct ir *ir, struct ir_value *const *in, uint32_t n_in, const struct reduce *r, struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_reduce, in, n_in, y, r, sizeof *r);
}

/* Parts of a block, then what they make. W is given up first: lanes that lie along it read what is adjacent in memory. */
static bool split(struct ir *ir, const struct ir_op *op)
{
    static const int order[4] = {2, 1, 0, 3};
    const struct reduce *whole = op->attr;
    struct reduce part = *whole, rest = *whole;
    struct ir_shape x = shape_of(whole, op->in[0]), t = x;
    struct ir_value *partial;

    part.part = true;
    part.across = false;
    part.count = 0;
    rest.map.fn = NULL;
    split_k_shorten(part.block, order, 4, (uint64_t)split_k_length(steps(whole), ir_vectors(op->out->shape)));
    for (int axis = 0; axis < 4; axis++) {
        int32_t extent = axis == 3 ? ir_slices(x) : ir_dim(x, axis);

        rest.block[axis] = split_k_count(whole->block[axis], part.block[axis]);
        if (axis < 3)
            t = ir_with(t, axis, split_k_count(extent, part.block[axis]));
        else if (whole->over_c)
            t.c = 4 * split_k_count(extent, part.block[axis]);
    }
    partial = ir_temp_full(ir, op->stores, whole->wide ? int64_shape(t) : t);
    return ir_reduce_blocks(ir, op->in, op->n_in, &part, partial) &&
           ir_hand_over(op, ir_reduce_blocks(ir, IR_INS(partial), &rest, op->out));
}

/* ---- by a workgroup ---- */

static bool workgroup_reduce_can(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct reduce *r = op->attr;

    return !r->in_order && !r->wide && workgroup_reduce_fits(op, steps(r), lim);
}

static bool workgroup_reduce_should(const struct ir_op *op, const struct gl_limits *lim)
{
    return workgroup_reduce_pays(op, steps(op->attr), lim);
}

/* Lanes along each axis, as many as cover it while there are some: along W first, where what they read is adjacent in memory. */
static void tree_lanes(const struct reduce *r, int32_t lanes[4])
{
    static const int order[4] = {2, 1, 3, 0};
    int32_t left = REDUCE_LANES;

    for (int i = 0; i < 4; i++)
        for (lanes[order[i]] = 1; left > 1 && lanes[order[i]] < r->block[order[i]]; left /= 2)
            lanes[order[i]] *= 2;
}

static void emit_tree(struct gl_shader *p, const struct ir_op *op)
{
    int32_t lanes[4];

    tree_lanes(op->attr, lanes);
    emit(p, op);
    gl_defines(p, "LANES_B LANES_H LANES_W LANES_S", lanes);
    workgroup_reduce_emit(p, op, reduce_comp, VECTOR_BYTES);
}

static uint64_t iterations_of_tree(const struct ir_op *op)
{
    int32_t lanes[4];

    tree_lanes(op->attr, lanes);
    return passes(op->attr, lanes) + workgroup_reduce_iterations();
}

static const struct gl_variant variants[] = {
    {"tree", workgroup_reduce_can, emit_tree, .iterations = iterations_of_tree, .pays = workgroup_reduce_should},
    {"split", can_split, .expand = split, .pays = is_long},
    {"serial", NULL, emit_serial, .iterations = iterations},
};

static bool join(struct ir *ir, struct ir_op *op, struct ir_op *first, bool *done)
{
    struct reduce *r = op->attr;

    *done = !r->in_order && !r->wide;
    return !*done || reduce_map_take(ir, op, first, &r->map, done);
}

static const struct ir_fn *applies_first(const struct ir_op *op)
{
    return ((const struct reduce *)op->attr)->map.fn;
}

const struct ir_kind gl_kind_reduce = {
    .name = "reduce", IR_TRAITS(.join = join, .applies_first = applies_first), GL_VARIANTS(variants)};
