/* SPDX-License-Identifier: Apache-2.0 */
/* conv_common.c - the operands, sizes and bindings of direct convolutions. */
#include "kernels_gl/matmul/conv_common.h"

#include <string.h>

#include "kernels_gl/common/kinds.h"
#include "kernels_gl/matmul/winograd.h"

bool conv_is_pointwise(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;

    return w->kernel_h == 1 && w->kernel_w == 1 && w->stride_h == 1 && w->stride_w == 1 && !w->pad_h && !w->pad_w &&
           op->in[0]->shape.h == op->out->shape.h && op->in[0]->shape.w == op->out->shape.w;
}

size_t conv_weights(const struct ir_op *op)
{
    const struct conv *c = op->attr;
    const size_t taps = c->tile ? 9 : (size_t)c->win.kernel_h * (size_t)c->win.kernel_w;

    return (size_t)op->out->shape.c * taps * (size_t)op->in[0]->shape.c;
}

int64_t conv_steps(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;

    return (int64_t)w->kernel_h * w->kernel_w * ir_slices(op->in[0]->shape);
}

bool conv_makes(const struct ir_op *op, int64_t work)
{
    const struct ir_shape y = op->out->shape;

    return conv_steps(op) * y.h * y.w >= work / ir_slices(y);
}

bool conv_any_rows(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct tensor *y = op->out->tensor;

    return lim->policy.any_batch && (y ? y->rank < 4 : op->out->shape.h == 1);
}

static void bind_positions(struct gl_shader *p, const struct conv *c)
{
    if (c->tile) {
        GL_DEFINES(p, "POSITIONS BIASED_POSITION", winograd_positions(c->tile), winograd_all(c->tile));
    }
    gl_define_text(p, "IS_BIASED", c->tile ? "(b % POSITIONS == BIASED_POSITION)" : "true");
    gl_define_text(p, "FILTERS", c->tile ? "(b % POSITIONS * Y_S)" : "0");
}

void conv_bind(struct gl_shader *p, const struct ir_op *op, int32_t beside)
{
    const struct conv *c = op->attr;
    struct ir_shape x = op->in[0]->shape, y = op->out->shape;
    struct filter f = {c->w, c->bias, y.c, c->win.kernel_h * c->win.kernel_w, x.c, .beside = beside, .tile = c->tile};
    const size_t n = conv_weights(op);
    bool finite = window_all_finite(c->w, n);
    bool pointwise = finite && conv_is_pointwise(op);

    f.bytes = c->to_counts != 0 && window_bytes(c->w, n, c->bias, (size_t)y.c, &f.offset);
    if (window_multiples(p, c->w, n, n / (size_t)y.c, c->unit, (size_t)y.c, &f.offset)) {
        f.unit = c->unit;
        f.bytes = true;
    }
    GL_DEFINES(p, "FLAT BY_FLOATS", pointwise && gl_flatten(p), gl_divides_by_floats(p, (int64_t)y.h * y.w));
    gl_operands(p, "x");
    window_filter(p, &f);
    gl_params_window(p, &c->win);
    GL_DEFINES(p, "POINTWISE INFINITE_WEIGHTS", pointwise, !finite);
    window_counts(p, c->to_counts);
    bind_positions(p, c);
}

bool conv_is_product(const struct ir_op *op)
{
    const struct conv *c = op->attr;

    return conv_is_pointwise(op) && !c->unit && c->to_counts == 0 && !c->tile && !c->parts.n &&
           window_all_finite(c->w, conv_weights(op));
}

struct filter conv_filter(const struct ir_op *op)
{
    const struct conv *c = op->attr;

    return (struct filter){.w = c->w, .bias = c->bias, .n_out = op->out->shape.c, .taps = 1, .n_in = op->in[0]->shape.c};
}

bool conv_reorder(struct ir *ir, struct ir_op *op, struct ir_shape from, bool *done)
{
    struct conv *c = op->attr;
    const size_t pixels = (size_t)from.h * (size_t)from.w, n = conv_weights(op), row = (size_t)op->in[0]->shape.c;
    float *w;

    if (!conv_is_pointwise(op) || c->tile)
        return true;
    if (!(w = ARENA_ARRAY(ir->arena, n, float)))
        return false;
    for (size_t i = 0; i < n; i += 4) {
        const size_t k = i % row / 4; /* vector k lies in slice k / pixels */

        memcpy(w + i, c->w + i / row * row + k % pixels * (size_t)from.c + k / pixels * 4, 4 * sizeof *w);
    }
    c->w = w;
    return *done = true;
}

struct ir_op *conv_new(struct ir *ir, struct ir_value *x, const struct conv *c, struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_conv, IR_INS(x), y, c, sizeof *c);
}
