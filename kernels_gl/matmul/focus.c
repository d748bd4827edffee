/* SPDX-License-Identifier: Apache-2.0 */
/* focus.c - finds blocks of pixels behind a convolution's channels, and makes the larger filter.
 *
 * Each channel that the convolution reads is followed back to the image. They must begin at different pixels of a block, or
 * channels of the image, and step by the size of the block. So each weight has one place in the larger filter. */
#include "kernels_gl/matmul/focus.h"

#include <string.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"

#define MOST_CHANNELS 64
#define MOST_BLOCK    4

struct focus {
    struct ir_value *image;
    struct place_along place[MOST_CHANNELS][4]; /* of each channel */
    bool planes;                                /* the image's rows are its channels */
    struct ir_shape block;                      /* h and w: its size; c: the image's channels */
};

static bool is_move(const struct ir_op *op)
{
    return op && !op->epilogue && (op->kind == &gl_kind_axis_gather || op->kind == &gl_kind_concatenation);
}

/* Follow p[4] of v back through moves; return the value that it comes from. NULL if it comes from no single place. */
static struct ir_value *follow(struct ir_value *v, struct place_along *p)
{
    for (uint32_t part; is_move(v->producer); v = v->producer->in[part]) {
        part = 0;
        if (v->producer->kind == &gl_kind_concatenation ? v->n_uses != 1 || !concatenation_follow(v->producer, p, &part)
                                                        : !axis_gather_follow(v->producer, p))
            return NULL;
    }
    return v->data ? NULL : v;
}

/* Rows, columns and channels, in places that are theirs or those of planes. */
static const struct place_along *axis_of(const struct focus *f, int32_t c, int axis)
{
    return &f->place[c][f->planes ? (const int[]){0, 2, 3, 1}[axis] : axis];
}

/* The pixel of the block and the channel, as one number. */
static int32_t number_of(const struct focus *f, int32_t c)
{
    return (axis_of(f, c, 1)->at * f->block.w + axis_of(f, c, 2)->at) * f->block.c + axis_of(f, c, 3)->at;
}

static bool is_step(const struct place_along *p, int axis, int32_t step)
{
    return p->axis == axis && p->step == step && p->at < step;
}

/* Each pixel of a block and channel of the image is one channel of x. */
static bool is_focus(const struct focus *f, struct ir_shape x)
{
    const struct ir_shape image = f->image->shape, b = f->block;
    bool seen[MOST_CHANNELS] = {false};

    if (b.h > MOST_BLOCK || b.w > MOST_BLOCK || b.h * b.w < 2 || (int64_t)b.h * b.w * b.c != x.c || image.b != x.b ||
        ir_dim(image, f->planes ? 2 : 1) != (int64_t)b.h * x.h || ir_dim(image, f->planes ? 3 : 2) != (int64_t)b.w * x.w)
        return false;
    for (int32_t c = 0; c < x.c; c++) {
        const struct place_along *first = axis_of(f, c, 0), *channel = axis_of(f, c, 3);

        if (first->at || !is_step(first, 0, 1) || !is_step(axis_of(f, c, 1), 1, b.h) || !is_step(axis_of(f, c, 2), 2, b.w) ||
            channel->axis != PLACE_ALONE || seen[number_of(f, c)])
            return false;
        seen[number_of(f, c)] = true;
    }
    return true;
}

static bool find_focus(struct focus *f, struct ir_value *x)
{
    if (x->shape.c > MOST_CHANNELS)
        return false;
    for (int32_t c = 0; c < x->shape.c; c++) {
        struct ir_value *image;

        memcpy(f->place[c], (struct place_along[]){{0, 1, 0}, {0, 1, 1}, {0, 1, 2}, {c, 0, PLACE_ALONE}}, sizeof f->place[c]);
        if (!(image = follow(x, f->place[c])) || (c && image != f->image))
            return false;
        f->image = image;
    }
    f->planes = f->place[0][1].axis == PLACE_ALONE;
    f->block = (struct ir_shape){1, axis_of(f, 0, 1)->step, axis_of(f, 0, 2)->step, ir_dim(f->image->shape, f->planes ? 1 : 3)};
    return is_focus(f, x->shape);
}

/* Merge the nodes of every move between v and the image into `op`. */
static bool merge_moves(struct ir *ir, struct ir_op *op, const struct ir_value *v)
{
    bool ok = !is_move(v->producer) || ir_merge_nodes(ir, op, v->producer);

    for (uint32_t i = 0; ok && is_move(v->producer) && i < v->producer->n_in; i++)
        ok = merge_moves(ir, op, v->producer->in[i]);
    return ok;
}

/* The image with its channels last, made before `op` is run. */
static struct ir_value *image_of(struct ir *ir, struct ir_op *op, const struct focus *f)
{
    const struct ir_shape s = f->image->shape;
    struct axis_gather order = axis_gather_of(4, (int32_t[]){s.b, s.h, s.w, s.c}, (int32_t[]){s.b, s.w, s.c, s.h});
    struct ir_value *v;
    struct ir_op *last;
    uint32_t at = 0;

    if (!f->planes)
        return f->image;
    for (int32_t i = 1; i < 4; i++)
        order.axis[i] = i % 3 + 1;
    if (!(v = ir_temp(ir, f->image->type, (struct ir_shape){s.b, s.w, s.c, s.h})) || !ir_axis_gather(ir, f->image, &order, v))
        return NULL;
    last = ir->ops[ir->n_ops - 1];
    last->nodes = op->in[0]->producer->nodes;
    last->n_nodes = op->in[0]->producer->n_nodes;
    v->full = f->image->full;
    while (ir->ops[at] != op)
        at++;
    memmove(ir->ops + at + 1, ir->ops + at, (ir->n_ops - 1 - at) * sizeof(struct ir_op *));
    ir->ops[at] = last;
    return v;
}

/* Weights of the larger filter. */
static float *spread(struct ir *ir, const struct focus *f, size_t kernel_w, const float *from, size_t n)
{
    const size_t high = (size_t)f->block.h, wide = (size_t)f->block.w, deep = (size_t)f->block.c, channels = high * wide * deep;
    float *w = ARENA_ARRAY(ir->arena, n, float);

    for (size_t i = 0; w && i < n; i++) {
        const struct place_along *h = axis_of(f, (int32_t)(i % channels), 1), *x = axis_of(f, (int32_t)(i % channels), 2);
        const size_t row = i / channels / kernel_w * high + (size_t)h->at, column = i / channels % kernel_w * wide + (size_t)x->at;

        w[(row * kernel_w * wide + column) * deep + (size_t)axis_of(f, (int32_t)(i % channels), 3)->at] = from[i];
    }
    return w;
}

bool focus_join(struct ir *ir, struct ir_op *op, const struct ir_op *first, struct ir_window *win, const float **w, size_t n,
                bool *done)
{
    struct focus f = {.image = NULL};

    *done = is_move(first) && win->dilation_h == 1 && win->dilation_w == 1 && !ir->limits->policy.any_batch &&
            find_focus(&f, op->in[0]);
    if (!*done)
        return true;
    if (!merge_moves(ir, op, op->in[0]) || !(*w = spread(ir, &f, (size_t)win->kernel_w, *w, n)) ||
        !(op->in[0] = image_of(ir, op, &f)))
        return false;
    win->kernel_h *= f.block.h;
    win->stride_h *= f.block.h;
    win->pad_h *= f.block.h;
    win->kernel_w *= f.block.w;
    win->stride_w *= f.block.w;
    win->pad_w *= f.block.w;
    return true;
}
