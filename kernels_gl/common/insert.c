/* SPDX-License-Identifier: Apache-2.0 */
/* insert.c - DYNAMIC_UPDATE_SLICE: a tensor with a part replaced, at a place that may be computed at run time; DILATE and
 * STABLEHLO_PAD: elements spread with a value before, behind and between them. */
#include "kernels_gl/common/insert.h"

#include <stdio.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "lib/gl/ir/fold.h"

/* An axis: its number, and the extents of the whole and of the update. */
struct axis {
    int32_t number, whole, part;
};

/* Of B, W and C one axis each; H may hold several, the innermost first. */
struct update {
    struct axis b, w, c, h[TENSOR_MAX_RANK];
    int32_t n_h;
};

static void define_axis(struct gl_shader *p, const char *name, int32_t k, struct axis a)
{
    char text[32];

    snprintf(text, sizeof text, "%s%d_AXIS", name, k);
    gl_param(p, text, a.number);
    snprintf(text, sizeof text, "%s%d_WHOLE", name, k);
    gl_param(p, text, a.whole);
    snprintf(text, sizeof text, "%s%d_PART", name, k);
    gl_param(p, text, a.part);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct update *u = op->attr;

    gl_source(p, dynamic_update_slice_comp);
    gl_define_types(p, op->stores);
    GL_DEFINES(p, "ROWS WHOLE_CHANNELS", u->n_h, u->c.whole == u->c.part);
    define_axis(p, "IMAGE", 0, u->b);
    for (int32_t k = 0; k < u->n_h; k++)
        define_axis(p, "ROW", k, u->h[k]);
    define_axis(p, "PIXEL", 0, u->w);
    define_axis(p, "CHANNEL", 0, u->c);
    gl_operands(p, "x part start");
}

static const struct gl_variant variants[] = {{"slices", NULL, emit, .iterations = gl_unrolled}};
const struct ir_kind gl_kind_update_slice = {.name = "dynamic_update_slice", GL_VARIANTS(variants)};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_one_type(n, 0, 2, why))
        return false;
    if (!n->in[2]->is_const && n->in[2]->type != TYPE_INT32 && n->in[2]->type != TYPE_INT64)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "indices of type %s", type_name(n->in[2]->type));
    return gl_storable(lim, n, 0, 3, why);
}

/* The one axis of a run that is longer than 1; the last one where none is. */
static struct axis axis_of_run(const struct node *n, int32_t from, int32_t to)
{
    struct axis a = {0, 1, 1};

    for (int32_t i = from; i < to; i++)
        if (i == from || n->in[0]->dim[i] > 1)
            a = (struct axis){i, n->in[0]->dim[i], n->in[1]->dim[i]};
    return a;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0], *part = n->in[1];
    struct ir_fold f = ir_fold_stored(x->dim, x->rank);
    struct ir_value *which = ir_reshaped(ir, ir_in(ir, n, 2), (struct ir_shape){1, 1, 1, x->rank > 0 ? x->rank : 1});
    struct ir_value *small = ir_reshaped(ir, ir_in(ir, n, 1), ir_fold_shape(&f, part->dim));
    struct ir_op *op = ir_op_new(ir, &gl_kind_update_slice, IR_INS(ir_in(ir, n, 0), small, which), ir_out(ir, n, 0),
                                 sizeof(struct update));
    struct update *u;

    if (!op)
        return ir_nomem(err);
    u = op->attr;
    u->b = axis_of_run(n, 0, f.at[1]);
    u->w = axis_of_run(n, f.at[2], f.at[3]);
    u->c = axis_of_run(n, f.at[3], f.at[4]);
    for (int32_t i = f.at[2]; i-- > f.at[1];)
        u->h[u->n_h++] = (struct axis){i, x->dim[i], part->dim[i]};
    return ST_OK;
}

const struct gl_kernel gl_dynamic_update_slice = {
    .max_version = 6, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = accept, .lower = lower};

/* ---- DILATE, STABLEHLO_PAD ---- */

/* Along axis i of the output: element k is input (k - low[i]) / step[i], where that is one; the value elsewhere. */
struct spread {
    int64_t low[TENSOR_MAX_RANK], step[TENSOR_MAX_RANK];
};

static struct spread spread_of(const struct node *n)
{
    struct spread s;

    for (int32_t i = 0; i < n->in[0]->rank; i++)
        if (n->builtin == BUILTIN_DILATE) {
            s.low[i] = 0;
            s.step[i] = tensor_int(n->in[1], (size_t)i);
        } else if (n->builtin == BUILTIN_STABLEHLO_PAD) {
            const struct opt_stablehlo_pad *o = n->opt;

            s.low[i] = o->edge_padding_low[i];
            s.step[i] = o->interior_padding[i] + 1;
        } else {
            s.low[i] = tensor_int(n->in[1], 2 * (size_t)i);
            s.step[i] = 1;
        }
    return s;
}

/* -1: the value. */
static int32_t spread_from(const struct spread *s, const struct tensor *x, int32_t axis, int32_t k)
{
    const int64_t at = k - s->low[axis];

    return at < 0 || at % s->step[axis] || at / s->step[axis] >= x->dim[axis] ? -1 : (int32_t)(at / s->step[axis]);
}

static bool spread_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const uint32_t value = n->n_in - 1;

    if (!gl_runtime(n, 0, "input", why) || (value == 2 && !gl_constant(n, 1, "steps", why)))
        return false;
    return gl_one_type(n, 0, 1, why) && gl_one_type(n, value, value + 1, why) && gl_storable(lim, n, value, value + 1, why);
}

/* x at these places; anything where the value belongs. */
static struct ir_value *spread_elements(struct ir *ir, const struct node *n, const struct spread *s)
{
    const struct tensor *x = n->in[0], *y = n->out[0];
    struct axis_gather gather = axis_gather_of(x->rank, x->dim, y->dim);
    struct ir_value *out = ir_out(ir, n, 0), *t = out ? ir_temp(ir, out->type, out->shape) : NULL;

    for (int32_t i = 0; i < x->rank; i++) {
        int32_t *at = ARENA_ARRAY(ir->arena, (size_t)y->dim[i], int32_t);

        if (!(gather.at[i] = at))
            return NULL;
        for (int32_t k = 0; k < y->dim[i]; k++) {
            const int32_t from = spread_from(s, x, i, k);

            at[k] = from < 0 ? 0 : from;
        }
    }
    return t && ir_axis_gather(ir, ir_in(ir, n, 0), &gather, t) ? t : NULL;
}

/* 1 for each place along a run of axes, as the output is stored, that holds an element. *all: each does. */
static struct ir_value *spread_mask(struct ir *ir, const struct node *n, const struct spread *s, int axis, bool *all)
{
    const struct tensor *y = n->out[0];
    const struct ir_fold f = ir_fold_stored(y->dim, y->rank);
    const int32_t extent = ir_dim(ir_fold_shape(&f, y->dim), axis);
    float *mask = ARENA_ARRAY(ir->arena, (size_t)extent, float);

    *all = true;
    for (int32_t k = 0; mask && k < extent; k++) {
        int32_t left = k;

        mask[k] = 1;
        for (int32_t i = f.at[axis + 1]; i-- > f.at[axis]; left /= y->dim[i])
            if (spread_from(s, n->in[0], i, left % y->dim[i]) < 0)
                mask[k] = 0;
        *all &= mask[k] != 0;
    }
    return ir_const(ir, IR_BOOL, ir_with((struct ir_shape){1, 1, 1, 1}, axis, extent), mask);
}

/* One choice an operation: together they would bind more buffers than the least device can. */
enum status insert_lower_spread(struct ir *ir, const struct node *n, struct err *err)
{
    struct spread s = spread_of(n);
    struct ir_value *y = ir_out(ir, n, 0), *value = ir_reshaped(ir, ir_in(ir, n, n->n_in - 1), (struct ir_shape){1, 1, 1, 1});
    struct ir_value *t = spread_elements(ir, n, &s);

    if (!t || !value)
        return ir_nomem(err);
    for (int axis = 0; axis < 4; axis++) {
        bool all;
        struct ir_value *mask = spread_mask(ir, n, &s, axis, &all), *next = all ? t : ir_temp(ir, y->type, y->shape);

        if (!mask || !next || (!all && !ir_map(ir, &fn_select, (struct ir_value *[3]){mask, t, value}, NULL, next)))
            return ir_nomem(err);
        t = next;
    }
    return ir_copy(ir, t, y) ? ST_OK : ir_nomem(err);
}

#define SPREAD                                                                                                                     \
    {                                                                                                                              \
        .max_version = 1, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = spread_accept, .lower = insert_lower_spread     \
    }

const struct gl_kernel gl_dilate = SPREAD;
const struct gl_kernel gl_stablehlo_pad = SPREAD;
