/* SPDX-License-Identifier: Apache-2.0 */
/* insert.c - DYNAMIC_UPDATE_SLICE: a tensor with a part of it replaced, at a place that may be computed at run time.
 */
#include <stdio.h>

#include "../lib/gl/fold.h"
#include "data_movement.h"

/* What is known of an axis: its number, extents of the whole and of the update. */
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
    gl_define(p, "ROWS", u->n_h);
    gl_define(p, "WHOLE_CHANNELS", u->c.whole == u->c.part);
    define_axis(p, "IMAGE", 0, u->b);
    for (int32_t k = 0; k < u->n_h; k++)
        define_axis(p, "ROW", k, u->h[k]);
    define_axis(p, "PIXEL", 0, u->w);
    define_axis(p, "CHANNEL", 0, u->c);
    gl_input(p, "x", op->in[0]);
    gl_input(p, "part", op->in[1]);
    gl_input(p, "start", op->in[2]);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static const struct gl_variant variants[] = {{"slices", NULL, emit, gl_unrolled}, {NULL}};
const struct ir_kind gl_kind_update_slice = {.name = "dynamic_update_slice", .variants = variants};

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)g;
    if (!gl_arity(n, 3, 3, 1, why) || !gl_one_type(n, 0, 2, why))
        return false;
    if (!n->in[2]->is_const && n->in[2]->type != TYPE_INT32)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "indices of type %s", type_name(n->in[2]->type));
    return gl_stored(lim, n, 0, 3, why);
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
