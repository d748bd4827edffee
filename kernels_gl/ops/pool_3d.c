/* SPDX-License-Identifier: Apache-2.0 */
/* pool_3d.c - AvgPool3D and MaxPool3D: pooling over height and width, then over depth.
 *
 * The number of a window's elements inside the input is the product of the numbers along each axis, so the mean of means is the
 * mean. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/ops/pool.h"
#include "lib/base/flexbuffer.h"

/* Along depth, height and width. The op's shape function has checked the options. */
struct window_3d {
    int32_t kernel[3], stride[3], pad[3];
};

static enum status read_window(const struct node *n, struct window_3d *w, struct err *err)
{
    struct flex_map m;
    enum status st = flex_open(n->custom, n->n_custom, &m, err);
    struct flex_ints size, stride;

    if (st)
        return st;
    size = flex_vector(&m, "ksize");
    stride = flex_vector(&m, "strides");
    for (size_t i = 0; i < 3; i++) {
        int64_t total;

        w->kernel[i] = flex_vector_int(&size, i + 1);
        w->stride[i] = flex_vector_int(&stride, i + 1);
        total = (int64_t)(n->out[0]->dim[i + 1] - 1) * w->stride[i] + w->kernel[i] - n->in[0]->dim[i + 1];
        w->pad[i] = total > 0 ? (int32_t)(total / 2) : 0;
    }
    return ST_OK;
}

/* Over axis `h` of the window, or -1, and axis `w`. */
static struct ir_window window_over(const struct window_3d *of, int h, int w)
{
    return (struct ir_window){.kernel_h = h < 0 ? 1 : of->kernel[h],
                              .stride_h = h < 0 ? 1 : of->stride[h],
                              .pad_h = h < 0 ? 0 : of->pad[h],
                              .kernel_w = w < 0 ? 1 : of->kernel[w],
                              .stride_w = w < 0 ? 1 : of->stride[w],
                              .pad_w = w < 0 ? 0 : of->pad[w],
                              .dilation_h = 1,
                              .dilation_w = 1};
}

static bool exact_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return gl_accept_one(lim, n, why) && gl_keeps_type(n, why);
}

/* Count the window's positions along an axis that lie within the input. */
static int32_t inside(const struct window_3d *w, const struct node *n, int axis, int32_t at)
{
    const int32_t from = at * w->stride[axis] - w->pad[axis], to = from + w->kernel[axis], end = n->in[0]->dim[axis + 1];

    return (to < end ? to : end) - (from > 0 ? from : 0);
}

/* [1, depth, height * width, 1]: of each window. */
static struct ir_value *window_counts(struct ir *ir, const struct node *n, const struct window_3d *w)
{
    const int32_t *y = n->out[0]->dim;
    int32_t *count = ARENA_ARRAY(ir->arena, (size_t)y[1] * (size_t)y[2] * (size_t)y[3], int32_t), *next = count;

    for (int32_t d = 0; count && d < y[1]; d++)
        for (int32_t h = 0; h < y[2]; h++)
            for (int32_t i = 0; i < y[3]; i++)
                *next++ = inside(w, n, 0, d) * inside(w, n, 1, h) * inside(w, n, 2, i);
    return count ? ir_const(ir, IR_INT, (struct ir_shape){1, y[1], y[2] * y[3], 1}, count) : NULL;
}

static bool pool(struct ir *ir, struct ir_value *x, struct ir_value *counts, const struct exact_pool *p, struct ir_value *y)
{
    return x && y &&
           (y->type == IR_INT ? ir_exact_pool(ir, x, counts, p, y) : ir_pool(ir, x, &p->win, p->of == POOL_MAX, y) != NULL);
}

/* The largest of the largest, the mean of means, or of integers that of sums, which is rounded once. */
static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const int32_t *x = n->in[0]->dim, *y = n->out[0]->dim;
    const bool max = n->op->gl->arg != NULL;
    struct exact_pool image = {.range = {INT32_MIN, INT32_MAX}, .of = max ? POOL_MAX : POOL_SUM};
    struct exact_pool depth = {.range = {INT32_MIN, INT32_MAX}, .of = max ? POOL_MAX : POOL_MEAN};
    struct ir_value *planes, *pooled, *counts = NULL, *natural, *out = ir_out(ir, n, 0);
    const bool exact = out && out->type == IR_INT;
    struct window_3d w;
    enum status st = read_window(n, &w, err);

    if (st)
        return st;
    image.win = window_over(&w, 1, 2);
    depth.win = window_over(&w, 0, -1);
    planes = ir_reshaped(ir, ir_in(ir, n, 0), (struct ir_shape){x[0] * x[1], x[2], x[3], x[4]});
    pooled = (exact ? ir_temp : ir_temp_full)(ir, exact ? IR_INT : IR_FLOAT, (struct ir_shape){x[0] * x[1], y[2], y[3], y[4]});
    natural = ir_begin_reshape(ir, out, (struct ir_shape){y[0], y[1], y[2] * y[3], y[4]});
    if (exact && !max && !(counts = window_counts(ir, n, &w)))
        return ir_nomem(err);
    return pool(ir, planes, NULL, &image, pooled) &&
                   pool(ir, ir_reshaped(ir, pooled, (struct ir_shape){x[0], x[1], y[2] * y[3], y[4]}), counts, &depth, natural) &&
                   ir_end_reshape(ir, natural, out)
               ? ST_OK
               : ir_nomem(err);
}

#define INTEGERS (1u << TYPE_INT8 | 1u << TYPE_INT16)

const struct gl_kernel gl_exact_pool_3d = {
    .max_version = 1, .in_types = INTEGERS, .out_types = INTEGERS, .accept = exact_accept, .lower = lower};
const struct gl_kernel gl_average_pool_3d = {.max_version = 1, .accept = gl_accept_one, .lower = lower};
const struct gl_kernel gl_max_pool_3d = {
    .max_version = 1, .quantized = INTEGERS, .accept = gl_accept_one, .lower = lower, .arg = &gl_kind_max_pool};
