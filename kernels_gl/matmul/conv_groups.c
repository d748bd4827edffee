/* SPDX-License-Identifier: Apache-2.0 */
/* conv_groups.c - groups of one channel as a depthwise convolution; other groups convolved one by one and concatenated, which moves
 * nothing if their channels are whole slices. */
#include "kernels_gl/matmul/conv_groups.h"

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"

/* Return a copy of w [out][taps] as [taps][out]. */
static const float *taps_first(struct ir *ir, const float *w, size_t out, size_t taps)
{
    float *to = w ? ARENA_ARRAY(ir->arena, out * taps, float) : NULL;

    for (size_t o = 0; to && o < out; o++)
        for (size_t t = 0; t < taps; t++)
            to[t * out + o] = w[o * taps + t];
    return to;
}

struct ir_value *ir_channels(struct ir *ir, struct ir_value *x, int32_t first, int32_t n)
{
    struct ir_shape s = x->shape;
    const int32_t from[4] = {s.b, s.h, s.w, s.c}, to[4] = {s.b, s.h, s.w, n};
    struct axis_gather gather = axis_gather_of(4, from, to);
    struct ir_value *y = ir_temp(ir, x->type, ir_with(s, 3, n));

    if (y && x->type == IR_INT)
        y->tensor = x->tensor; /* integers are stored in as many bits */
    if (!y || !(gather.at[3] = ir_range(ir, first, 1, n)) || !ir_axis_gather(ir, x, &gather, y))
        return NULL;
    return y;
}

bool ir_conv_groups(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, int32_t depth,
                    const float *bias, enum activation act, struct ir_value *y)
{
    int32_t groups, each;
    size_t taps = (size_t)win->kernel_h * (size_t)win->kernel_w;
    struct ir_value **parts;

    if (!x || !w || !y)
        return false;
    groups = x->shape.c / depth;
    if (depth == 1)
        return ir_activation(ir, ir_depthwise(ir, x, win, taps_first(ir, w, (size_t)y->shape.c, taps), bias, y), act);
    each = y->shape.c / groups;
    if (!(parts = ARENA_ARRAY(ir->arena, (size_t)groups, struct ir_value *)))
        return false;
    for (int32_t k = 0; k < groups; k++) {
        const float *unit = ir->lowering.unit;
        struct ir_op *op;
        const float *filters = w + (size_t)(k * each) * taps * (size_t)depth;

        parts[k] = (ir->lowering.to_counts != 0 ? ir_temp_full : ir_temp)(ir, y->type, ir_with(y->shape, 3, each));
        ir->lowering.unit = unit ? unit + k * each : NULL;
        op = ir_conv(ir, ir_channels(ir, x, k * depth, depth), win, filters, bias ? bias + k * each : NULL, parts[k]);
        ir->lowering.unit = unit;
        if (!ir_activation(ir, op, act))
            return false;
    }
    return ir_concatenate(ir, parts, (uint32_t)groups, 3, y);
}
