/* SPDX-License-Identifier: Apache-2.0 */
/* landmarks.c - MediaPipe's attention on parts of a face: Landmarks2TransformMatrix, TransformTensorBilinear, TransformLandmarks.
 *
 * The first finds a rotated crop around some landmarks, as a 4x4 matrix from its pixels to the image's; the second cuts that crop
 * out; the third brings landmarks found in it back. These are their second versions. */
#include "lib/base/flexbuffer.h"
#include "lib/graph/kernel.h"

#include <math.h>
#include <string.h>

static enum status check_version(const struct node *n, struct err *err)
{
    return n->version == 2 ? ST_OK : err_set(err, ST_UNSUPPORTED, "version %d, only version 2 is known", n->version);
}

static enum status check_matrix(const struct tensor *t, struct err *err)
{
    return tensor_elems(t) == 16 ? ST_OK : err_set(err, ST_BAD_MODEL, "the matrix is %s, expected [1,4,4]", TENSOR_TEXT(t));
}

/* One coordinate of the transformed point: a row of the matrix times (x, y, 0, 1). */
static float apply(const float row[4], float x, float y)
{
    return row[0] * x + row[1] * y + row[2] * 0.0f + row[3];
}

/* ---- Landmarks2TransformMatrix ---- */

struct crop_options {
    int32_t left, right, width, height; /* left, right: the landmarks that say how the face is turned */
    float scale_x, scale_y, target;     /* target: rotation in radians */
    struct flex_ints subset;            /* the landmarks that the crop must hold */
};

static enum status crop_options(const struct node *n, struct crop_options *o, struct err *err)
{
    struct flex_map m;
    enum status st = flex_open(n->custom, n->n_custom, &m, err);
    int32_t count = n->in[0]->dim[1];

    if (st)
        return st;
    *o = (struct crop_options){
        .left = flex_int(&m, "left_rotation_idx", -1),
        .right = flex_int(&m, "right_rotation_idx", -1),
        .width = flex_int(&m, "output_width", 0),
        .height = flex_int(&m, "output_height", 0),
        .scale_x = (float)flex_number(&m, "scale_x", 0),
        .scale_y = (float)flex_number(&m, "scale_y", 0),
        .target = (float)flex_number(&m, "target_rotation_radians", 0),
        .subset = flex_vector(&m, "subset_idxs"),
    };
    if (o->left < 0 || o->left >= count || o->right < 0 || o->right >= count)
        return err_set(err, ST_BAD_MODEL, "landmarks %d and %d of %d give the rotation", o->left, o->right, count);
    if (o->width < 1 || o->height < 1 || !(o->scale_x > 0) || !(o->scale_y > 0) || !o->subset.n)
        return err_set(err, ST_BAD_MODEL, "a crop of %dx%d, scaled by %g and %g, around %zu landmarks", o->width, o->height,
                       (double)o->scale_x, (double)o->scale_y, o->subset.n);
    for (size_t i = 0; i < o->subset.n; i++)
        if (flex_vector_int(&o->subset, i) < 0 || flex_vector_int(&o->subset, i) >= count)
            return err_set(err, ST_BAD_MODEL, "the subset holds landmark %d of %d", flex_vector_int(&o->subset, i), count);
    return ST_OK;
}

static enum status to_matrix_shape(struct node *n, struct err *err)
{
    enum status st;
    struct crop_options o;

    if ((st = check_version(n, err)))
        return st;
    if (n->in[0]->rank != 3 || n->in[0]->dim[0] != 1 || n->in[0]->dim[2] != 3)
        return err_set(err, ST_BAD_MODEL, "landmarks are %s, expected [1,landmarks,3]", TENSOR_TEXT(n->in[0]));
    if ((st = crop_options(n, &o, err)))
        return st;
    return shape_set(n, 0, (int32_t[]){1, 4, 4}, 3, err);
}

struct crop {
    float x, y, width, height;
};

static void rotate(float radians, float x, float y, float *out_x, float *out_y)
{
    *out_x = cosf(radians) * x - sinf(radians) * y;
    *out_y = sinf(radians) * x + cosf(radians) * y;
}

/* The upright box around the turned landmarks; its center is turned back. */
static struct crop find_crop(const struct crop_options *o, const float *landmarks, float radians)
{
    float lo_x = 0, lo_y = 0, hi_x = 0, hi_y = 0;
    struct crop c;

    for (size_t i = 0; i < o->subset.n; i++) {
        const float *p = landmarks + 3 * (size_t)flex_vector_int(&o->subset, i);
        float x, y;

        rotate(radians, p[0], p[1], &x, &y);
        lo_x = i && lo_x <= x ? lo_x : x;
        lo_y = i && lo_y <= y ? lo_y : y;
        hi_x = i && hi_x >= x ? hi_x : x;
        hi_y = i && hi_y >= y ? hi_y : y;
    }
    rotate(-radians, (lo_x + hi_x) / 2, (lo_y + hi_y) / 2, &c.x, &c.y);
    c.width = hi_x - lo_x;
    c.height = hi_y - lo_y;
    return c;
}

/* From crop to image: to the middle, to the landmarks' scale, turned, to the crop's center. */
static enum status to_matrix_run(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const float *p = n->in[0]->data;
    float *y = n->out[0]->data, radians, scale_x, scale_y, shift_x, shift_y;
    struct crop_options o;
    struct crop crop;
    enum status st = crop_options(n, &o, err);

    if (st)
        return st;
    radians = o.target - atan2f(p[3 * o.right + 1] - p[3 * o.left + 1], p[3 * o.right] - p[3 * o.left]);
    crop = find_crop(&o, p, radians);
    scale_x = o.scale_x * crop.width / (float)o.width;
    scale_y = o.scale_y * crop.height / (float)o.height;
    shift_x = -(float)o.width / 2;
    shift_y = -(float)o.height / 2;
    memset(y, 0, n->out[0]->bytes);
    y[0] = cosf(-radians) * scale_x;
    y[1] = -sinf(-radians) * scale_y;
    y[3] = y[0] * shift_x + y[1] * shift_y + crop.x;
    y[4] = sinf(-radians) * scale_x;
    y[5] = cosf(-radians) * scale_y;
    y[7] = y[4] * shift_x + y[5] * shift_y + crop.y;
    y[10] = y[15] = 1;
    return ST_OK;
}

/* ---- TransformTensorBilinear ---- */

static enum status transform_tensor_shape(struct node *n, struct err *err)
{
    enum status st;
    struct flex_map m;
    int32_t h, w;

    if ((st = check_version(n, err)) || (st = check_matrix(n->in[1], err)) || (st = flex_open(n->custom, n->n_custom, &m, err)))
        return st;
    h = flex_int(&m, "output_height", 0);
    w = flex_int(&m, "output_width", 0);
    if (n->in[0]->rank != 4 || n->in[0]->dim[0] != 1 || h < 1 || w < 1)
        return err_set(err, ST_BAD_MODEL, "%dx%d of %s, expected a part of [1,h,w,c]", h, w, TENSOR_TEXT(n->in[0]));
    return shape_set(n, 0, (int32_t[]){1, h, w, n->in[0]->dim[3]}, 4, err);
}

/* Zeros outside the image, as in the corners that a point on its last row or column asks for. */
static float pixel(const struct tensor *x, int32_t row, int32_t col, int32_t channel)
{
    if (row >= x->dim[1] || col >= x->dim[2])
        return 0;
    return ((const float *)x->data)[((size_t)row * (size_t)x->dim[2] + (size_t)col) * (size_t)x->dim[3] + (size_t)channel];
}

static void sample(const struct tensor *x, float at_x, float at_y, float *out)
{
    bool inside = at_x >= 0 && at_y >= 0 && at_x <= (float)(x->dim[2] - 1) && at_y <= (float)(x->dim[1] - 1);
    int32_t col = inside ? (int32_t)at_x : 0, row = inside ? (int32_t)at_y : 0;
    float right = at_x - (float)col, low = at_y - (float)row;

    for (int32_t c = 0; c < x->dim[3]; c++) {
        float upper, lower;

        if (!inside) {
            out[c] = 0;
            continue;
        }
        upper = (1 - right) * pixel(x, row, col, c) + right * pixel(x, row, col + 1, c);
        lower = (1 - right) * pixel(x, row + 1, col, c) + right * pixel(x, row + 1, col + 1, c);
        out[c] = low * lower + (1 - low) * upper;
    }
}

/* Pixels are taken at their centers. */
static void transform_tensor_run(struct cpu_call *c)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    const float *m = c->node->in[1]->data;
    float rows[2][4], *out = y->data;

    memcpy(rows, m, sizeof rows);
    for (int i = 0; i < 2; i++)
        rows[i][3] += rows[i][0] * 0.5f + rows[i][1] * 0.5f - 0.5f;
    for (int32_t row = 0; row < y->dim[1]; row++)
        for (int32_t col = 0; col < y->dim[2]; col++, out += y->dim[3])
            sample(x, apply(rows[0], (float)col, (float)row), apply(rows[1], (float)col, (float)row), out);
}

/* ---- TransformLandmarks ---- */

static enum status transform_landmarks_shape(struct node *n, struct err *err)
{
    enum status st;

    if ((st = check_version(n, err)) || (st = check_matrix(n->in[1], err)))
        return st;
    if (n->in[0]->rank != 3 || n->in[0]->dim[0] != 1 || n->in[0]->dim[2] < 2 || n->in[0]->dim[2] > 3)
        return err_set(err, ST_BAD_MODEL, "landmarks are %s, expected [1,landmarks,2] or [1,landmarks,3]", TENSOR_TEXT(n->in[0]));
    return shape_like(n, 0, n->in[0], err);
}

/* Depth stays as it is. */
static void transform_landmarks_run(struct cpu_call *c)
{
    const struct tensor *x = c->node->in[0];
    const float *m = c->node->in[1]->data, *p = x->data;
    float *y = c->node->out[0]->data;

    for (int32_t i = 0; i < x->dim[1]; i++, p += x->dim[2], y += x->dim[2]) {
        y[0] = apply(m, p[0], p[1]);
        y[1] = apply(m + 4, p[0], p[1]);
        if (x->dim[2] == 3)
            y[2] = p[2];
    }
}

const struct cpu_kernel cpu_landmarks_to_matrix = {
    .arity = {1, 1, 1}, .shape = to_matrix_shape, .in = {CPU_F32, CPU_F32}, .out = {CPU_F32}, .run = to_matrix_run};
const struct cpu_kernel cpu_transform_tensor_bilinear = {
    .arity = {2, 2, 1},
    .shape = transform_tensor_shape,
    .in = {CPU_F32, CPU_F32},
    .out = {CPU_F32},
    .compute = transform_tensor_run,
};
const struct cpu_kernel cpu_transform_landmarks = {
    .arity = {2, 2, 1},
    .shape = transform_landmarks_shape,
    .in = {CPU_F32, CPU_F32},
    .out = {CPU_F32},
    .compute = transform_landmarks_run,
};
