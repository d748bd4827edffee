/* SPDX-License-Identifier: Apache-2.0 */
/* landmarks.c - MediaPipe's attention on parts of a face: Landmarks2TransformMatrix, TransformTensorBilinear, TransformLandmarks.
 *
 * Matrices stay float32 where the rest is halves: they hold places in an image, of which a half leaves whole pixels. */
#include "kernels_gl/common/data_movement.h"
#include "lib/base/flexbuffer.h"

#include <math.h>

/* ---- Landmarks2TransformMatrix ---- */

struct crop {
    int32_t left, right;                                 /* the landmarks that say how the face is turned */
    float width, height, scale_x, scale_y, cos_t, sin_t; /* the last two of the rotation aimed at */
    struct flex_ints subset;                             /* the landmarks that the crop must hold */
};

/* Vector k: landmarks 4 * k to 4 * k + 3 of the subset, the last of all again where there are no more. */
static void pack_subset(const void *arg, size_t first, size_t n, void *to)
{
    const struct flex_ints *subset = arg;
    int32_t *out = to;

    for (size_t i = 4 * first; i < 4 * (first + n); i++)
        *out++ = flex_vector_int(subset, i < subset->n ? i : subset->n - 1);
}

static void emit_crop(struct gl_shader *p, const struct ir_op *op)
{
    const struct crop *c = op->attr;
    size_t vectors = (c->subset.n + 3) / 4;

    gl_source(p, landmarks_to_matrix_comp);
    GL_PARAMS(p, "LEFT RIGHT", c->left, c->right);
    gl_param_float(p, "WIDTH", c->width);
    gl_param_float(p, "HEIGHT", c->height);
    gl_param_float(p, "SCALE_X", c->scale_x);
    gl_param_float(p, "SCALE_Y", c->scale_y);
    gl_param_float(p, "COS_T", c->cos_t);
    gl_param_float(p, "SIN_T", c->sin_t);
    gl_param(p, "VECTORS", (int32_t)vectors);
    gl_table(p, "subset", vectors, pack_subset, &c->subset, sizeof c->subset);
    gl_operands(p, "x");
    gl_grid_of(p, 1, 1, 1, 1);
}

static uint64_t crop_iterations(const struct ir_op *op)
{
    return GL_PASSES(((uint64_t)((const struct crop *)op->attr)->subset.n + 3) / 4, 4);
}

static const struct gl_variant crop_variants[] = {{"serial", NULL, emit_crop, .iterations = crop_iterations}};
const struct ir_kind gl_kind_landmarks_to_matrix = {.name = "landmarks_to_matrix", .constants = 1, GL_VARIANTS(crop_variants)};

/* The op's shape function has checked the options. */
static enum status lower_crop(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *y = ir_out(ir, n, 0);
    struct ir_op *op = ir_op_new(ir, &gl_kind_landmarks_to_matrix, IR_INS(ir_in(ir, n, 0)), y, sizeof(struct crop));
    struct flex_map m;
    enum status st = flex_open(n->custom, n->n_custom, &m, err);
    double target;

    if (st)
        return st;
    if (!op)
        return ir_nomem(err);
    target = flex_number(&m, "target_rotation_radians", 0);
    *(struct crop *)op->attr = (struct crop){.left = flex_int(&m, "left_rotation_idx", -1),
                                             .right = flex_int(&m, "right_rotation_idx", -1),
                                             .width = (float)flex_int(&m, "output_width", 0),
                                             .height = (float)flex_int(&m, "output_height", 0),
                                             .scale_x = (float)flex_number(&m, "scale_x", 0),
                                             .scale_y = (float)flex_number(&m, "scale_y", 0),
                                             .cos_t = (float)cos(target),
                                             .sin_t = (float)sin(target),
                                             .subset = flex_vector(&m, "subset_idxs")};
    y->full = true;
    return ST_OK;
}

const struct gl_kernel gl_landmarks_to_matrix = {.max_version = 2, .accept = gl_accept_one, .lower = lower_crop};

/* ---- TransformLandmarks ---- */

static void emit_points(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, transform_landmarks_comp);
    gl_define(p, "FLAT", !ir_same_shape(op->in[0]->shape, op->out->shape));
    gl_operands(p, "x m");
}

static const struct gl_variant points_variants[] = {{"points", NULL, emit_points}};
const struct ir_kind gl_kind_transform_landmarks = {.name = "transform_landmarks", GL_VARIANTS(points_variants)};

/* A matrix as one row of four pixels. */
static struct ir_value *matrix(struct ir *ir, const struct node *n)
{
    struct ir_value *m = ir_in(ir, n, 1);

    if (m && m->data)
        m->full = true;
    return ir_reshaped(ir, m, (struct ir_shape){1, 1, 4, 4});
}

/* The points; or the one pixel from which a row of pairs is reshaped: nothing has to move for them. */
static struct ir_value *points(struct ir *ir, const struct node *n)
{
    struct ir_value *x = ir_in(ir, n, 0);
    const struct ir_shape flat = {1, 1, 1, x && x->shape.w < INT32_MAX / 2 ? 2 * x->shape.w : 0};

    for (uint32_t i = ir->n_ops; x && x->shape.c == 2 && i-- > 0;) {
        const struct ir_op *op = ir->ops[i];

        if (op->out == x && op->kind->role == IR_RESHAPE && !op->epilogue && !op->moves_batch &&
            ir_same_shape(op->in[0]->shape, flat))
            return op->in[0];
    }
    return x;
}

static enum status lower_points(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *y = ir_out(ir, n, 0);

    if (!ir_op_new(ir, &gl_kind_transform_landmarks, IR_INS(points(ir, n), matrix(ir, n)), y, 0))
        return ir_nomem(err);
    return ST_OK;
}

const struct gl_kernel gl_transform_landmarks = {.max_version = 2, .accept = gl_operands_fit, .lower = lower_points};

/* ---- TransformTensorBilinear: pixels brought through a matrix ---- */

static void emit_sample(struct gl_shader *p, const struct ir_op *op)
{
    (void)op;
    gl_source(p, resampler_comp);
    gl_define(p, "MATRIX", 1);
    gl_operands(p, "x at");
}

static const struct gl_variant sample_variants[] = {{"bilinear", NULL, emit_sample}};
const struct ir_kind gl_kind_transform_tensor = {.name = "transform_tensor", GL_VARIANTS(sample_variants)};

static enum status lower_tensor(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *y = ir_out(ir, n, 0);

    if (!ir_op_new(ir, &gl_kind_transform_tensor, IR_INS(ir_in(ir, n, 0), matrix(ir, n)), y, 0))
        return ir_nomem(err);
    return ST_OK;
}

const struct gl_kernel gl_transform_tensor_bilinear = {.max_version = 2, .accept = gl_operands_fit, .lower = lower_tensor};
