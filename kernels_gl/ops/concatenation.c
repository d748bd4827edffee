/* SPDX-License-Identifier: Apache-2.0 */
/* concatenation.c - CONCATENATION and PACK: tensors one after the other along an axis. */
#include <stdio.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "lib/gl/ir/fold.h"

/* What concatenation.comp is written for. */
#define MAX_PARTS 7

struct concatenation {
    int axis;
};

/* Every part begins at a slice of four channels. */
static bool keeps_slices(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct concatenation *how = op->attr;

    (void)lim;
    for (uint32_t i = 0; how->axis == 3 && i + 1 < op->n_in; i++)
        if (op->in[i]->shape.c % 4)
            return false;
    return true;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const bool slices = op->variant->fits == keeps_slices;
    const struct concatenation *how = op->attr;
    int32_t begin = 0;
    char name[16];

    gl_source(p, concatenation_comp);
    gl_define_types(p, op->stores);
    GL_DEFINES(p, "AXIS PARTS", how->axis, (int32_t)op->n_in);
    if (slices)
        gl_define(p, "SLICES", 1);
    for (uint32_t i = 0; i < op->n_in; i++) {
        snprintf(name, sizeof name, "x%u", i);
        gl_input(p, name, op->in[i]);
        snprintf(name, sizeof name, "BEGIN%u", i);
        gl_param(p, name, begin);
        begin += slices && how->axis == 3 ? ir_slices(op->in[i]->shape) : ir_dim(op->in[i]->shape, how->axis);
    }
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static const struct gl_variant variants[] = {
    {"slices", keeps_slices, emit, .iterations = gl_unrolled},
    {"elements", NULL, emit, .iterations = gl_unrolled},
};

static void permute(struct ir_op *op, const int order[4])
{
    struct concatenation *how = op->attr;
    int axis = 0;

    while (order[axis] != how->axis)
        axis++;
    how->axis = axis;
}

bool concatenation_follow(const struct ir_op *op, struct place_along *p, uint32_t *part)
{
    struct place_along *at = &p[((const struct concatenation *)op->attr)->axis];
    const int axis = (int)(at - p);

    if (at->axis != PLACE_ALONE)
        return false;
    for (*part = 0; at->at >= ir_dim(op->in[*part]->shape, axis); (*part)++)
        at->at -= ir_dim(op->in[*part]->shape, axis);
    return true;
}

const struct ir_kind gl_kind_concatenation = {
    .name = "concat", .moves = true, .role = IR_CONCATENATION, GL_VARIANTS(variants), IR_TRAITS(.permute = permute)};

static struct ir_op *concatenate_few(struct ir *ir, struct ir_value *const *in, uint32_t n, int axis, struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_concatenation, in, n, y, IR_ATTR(struct concatenation, .axis = axis));
}

/* Buffers that what rounds the result will bind. */
static uint32_t bound_behind(const struct ir *ir)
{
    uint32_t n = 0;

    for (int i = 1; ir->lowering.rounding && i < ir->lowering.rounding->fn->arity; i++)
        n += !ir_is_scalar(ir->lowering.rounding->operand[i]);
    return n;
}

/* Joins groups of inputs until few enough are left. Each round copies everything once, so rounds are as few as can be. */
struct ir_op *ir_concatenate(struct ir *ir, struct ir_value *const *in, uint32_t n, int axis, struct ir_value *y)
{
    struct ir_value **groups;
    const uint32_t left = ir->limits->storage_blocks - 1 - bound_behind(ir);
    uint32_t most = left < MAX_PARTS ? left : MAX_PARTS;
    uint32_t n_groups = (n + most - 1) / most;

    for (uint32_t i = 0; i < n; i++)
        if (!in[i])
            return NULL;
    if (!y || n <= most)
        return y ? concatenate_few(ir, in, n, axis, y) : NULL;
    if (!(groups = ARENA_ARRAY(ir->arena, n_groups, struct ir_value *)))
        return NULL;
    for (uint32_t k = 0; k < n_groups; k++) {
        uint32_t first = k * most, count = n - first < most ? n - first : most;
        int32_t extent = 0;

        for (uint32_t i = 0; i < count; i++)
            extent += ir_dim(in[first + i]->shape, axis);
        groups[k] = count == 1 ? in[first]
                               : (in[first]->full ? ir_temp_full : ir_temp)(ir, y->type, ir_with(y->shape, axis, extent));
        if (!groups[k] || (count > 1 && !concatenate_few(ir, in + first, count, axis, groups[k])))
            return NULL;
    }
    return ir_concatenate(ir, groups, n_groups, axis, y);
}

/* ---- the ops ---- */

static bool is_zero(const struct ir_value *v)
{
    const uint32_t *bits = v->data;

    if (!bits || v->type != IR_FLOAT)
        return false;
    for (uint64_t i = 0; i < ir_elems(v->shape); i++)
        if (bits[i])
            return false;
    return true;
}

/* ir_concatenate; of a value and zeros a pad, which may become part of what reads it. */
static struct ir_op *concatenate_or_pad(struct ir *ir, struct ir_value *const *in, uint32_t n, int axis, struct ir_value *y)
{
    const bool first = n == 2 && in[0] && in[1] && y && is_zero(in[0]);
    struct ir_op *op;

    if (!first && (n != 2 || !in[0] || !in[1] || !y || !is_zero(in[1])))
        return ir_concatenate(ir, in, n, axis, y);
    if ((op = ir_op_new(ir, &gl_kind_pad, IR_INS(in[first]), y, sizeof(struct ir_pad))) && first)
        *ir_dim_at(&((struct ir_pad *)op->attr)->before, axis) = ir_dim(in[0]->shape, axis);
    return op;
}

static bool has_axis(const struct node *n, int option, struct reason *why)
{
    int32_t axis;

    return !shape_axis(option, n->out[0]->rank, &axis, NULL) ||
           reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "axis %d of rank %d", option, n->out[0]->rank);
}

/* An input x, which v holds, with the extents that it has within the output y: PACK adds an axis. */
static bool part_of(struct ir *ir, const struct tensor *y, int32_t axis, const struct tensor *x, const struct ir_value *v,
                    struct ir_folded *out)
{
    int32_t *dim = ARENA_ARRAY(ir->arena, TENSOR_MAX_RANK, int32_t);

    for (int32_t i = 0; dim && i < y->rank; i++)
        dim[i] = i != axis ? y->dim[i] : x->rank == y->rank ? x->dim[i] : 1;
    *out = (struct ir_folded){.dim = dim, .stored = v->shape, .free = v->data};
    return dim;
}

/* Concatenates the inputs, seen with the shape that they have within the output. */
static enum status lower_concatenation(struct ir *ir, const struct node *n, int option, enum activation act, struct err *err)
{
    const struct tensor *t = n->out[0];
    struct ir_value **in = ARENA_ARRAY(ir->arena, n->n_in, struct ir_value *), *y = ir_out(ir, n, 0), *natural;
    struct ir_folded *all = ARENA_ARRAY(ir->arena, n->n_in + 1, struct ir_folded);
    struct ir_fold f;
    int32_t axis = 0;

    shape_axis(option, t->rank, &axis, NULL);
    for (uint32_t i = 0; in && all && i < n->n_in; i++) {
        if (!(in[i] = ir_in(ir, n, i)) || !part_of(ir, t, axis, n->in[i], in[i], &all[i]))
            return ir_nomem(err);
    }
    if (!in || !all || !y)
        return ir_nomem(err);
    all[n->n_in] = (struct ir_folded){.dim = t->dim, .stored = y->shape};
    ir_fold_best(t->rank, ir_fold_around(t->dim, t->rank, axis), all, n->n_in + 1, &f);
    for (uint32_t i = 0; i < n->n_in; i++)
        in[i] = ir_reshaped(ir, in[i], ir_fold_shape(&f, all[i].dim));
    natural = ir_begin_reshape(ir, y, ir_fold_shape(&f, t->dim));
    return ir_activation(ir, concatenate_or_pad(ir, in, n->n_in, ir_fold_axis(&f, axis), natural), act) &&
                   ir_end_reshape(ir, natural, y)
               ? ST_OK
               : ir_nomem(err);
}

static bool concatenation_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct opt_concatenation *o = n->opt;

    return gl_one_type(n, 0, n->n_in, why) && has_axis(n, o->axis, why) && gl_activation(o->activation, why) &&
           gl_storable(lim, n, 0, n->n_in, why);
}

static enum status concatenation_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_concatenation *o = n->opt;

    return lower_concatenation(ir, n, o->axis, o->activation, err);
}

/* Parts that are put side by side, each of their channels a pixel of the whole. Each by itself would have to be moved for that. */
static bool makes_pixels(const struct ir *ir, const struct node *n, const struct ir_value *x, const struct ir_value *y)
{
    int32_t axis = 0;

    shape_axis(((const struct opt_pack *)n->opt)->axis, n->out[0]->rank, &axis, NULL);
    return axis == n->in[0]->rank && n->n_in > 1 && x->shape.c > 1 && x->shape.b == 1 && (y->shape.b == 1 || n->n_in <= 4) &&
           !ir->limits->policy.any_batch;
}

/* One after the other in rows, and then all of them moved at once. */
static bool pack_pixels(struct ir *ir, const struct node *n, struct ir_value *first, struct ir_value *y)
{
    const struct ir_shape x = first->shape;
    const int32_t parts = (int32_t)n->n_in, pixels = x.h * x.w;
    struct axis_gather order = axis_gather_of(4, (int32_t[]){1, parts, pixels, x.c}, (int32_t[]){1, pixels, x.c, parts});
    struct ir_value **in = ARENA_ARRAY(ir->arena, n->n_in, struct ir_value *);
    struct ir_value *all = (first->full ? ir_temp_full : ir_temp)(ir, y->type, (struct ir_shape){1, parts * x.h, x.w, x.c});

    for (uint32_t i = 0; in && i < n->n_in; i++)
        in[i] = ir_in(ir, n, i);
    for (int i = 1; i < 4; i++)
        order.axis[i] = i % 3 + 1;
    return in && ir_concatenate(ir, in, n->n_in, 1, all) &&
           ir_axis_gather(ir, ir_reshaped(ir, all, (struct ir_shape){1, parts, pixels, x.c}), &order, y);
}

static bool pack_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return gl_one_type(n, 0, n->n_in, why) && has_axis(n, ((const struct opt_pack *)n->opt)->axis, why) &&
           gl_storable(lim, n, 0, n->n_in, why);
}

static enum status pack_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);

    if (!x || !y)
        return ir_nomem(err);
    if (!makes_pixels(ir, n, x, y))
        return lower_concatenation(ir, n, ((const struct opt_pack *)n->opt)->axis, ACT_NONE, err);
    return pack_pixels(ir, n, x, y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_concatenation = {
    .max_version = 7, MOVES_ANY, .accept = concatenation_accept, .lower = concatenation_lower};
const struct gl_kernel gl_pack = {.max_version = 5, MOVES_ANY, .accept = pack_accept, .lower = pack_lower};
