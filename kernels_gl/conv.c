/* conv.c - CONV_2D on GL: direct convolution, four output channels an invocation. */
#include <math.h>

#include "kinds.h"
#include "window.h"

#define PIXELS 4

struct conv {
    struct ir_window win;            /* first: passes merge padding into it */
    const float *w, *bias;           /* [out][kernel_h][kernel_w][in], [out] or NULL */
};

/* The layout that conv.comp describes. */
static void pack(float *to, const struct conv *c, int32_t n_in, int32_t n_out)
{
    int32_t taps = c->win.kernel_h * c->win.kernel_w, in_slices = (n_in + 3) / 4, out_slices = (n_out + 3) / 4;

    for (int32_t o = 0; c->bias && o < n_out; o++)
        to[o] = c->bias[o];
    to += 4 * (size_t)out_slices;
    for (int32_t o = 0; o < n_out; o++)
        for (int32_t tap = 0; tap < taps; tap++)
            for (int32_t i = 0; i < n_in; i++) {
                size_t block = ((size_t)(o / 4) * (size_t)taps + (size_t)tap) * (size_t)in_slices + (size_t)(i / 4);

                to[block * 16 + (size_t)(i % 4) * 4 + (size_t)(o % 4)] =
                    c->w[((size_t)o * (size_t)taps + (size_t)tap) * (size_t)n_in + (size_t)i];
            }
}

static size_t packed_vectors(const struct ir_window *win, int32_t in_slices, int32_t out_slices)
{
    return (size_t)out_slices * (1 + 4 * (size_t)win->kernel_h * (size_t)win->kernel_w * (size_t)in_slices);
}

/* Zeros beyond the border times such a weight would be NaN. */
static bool has_infinite(const float *w, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(w[i]))
            return true;
    return false;
}

static void emit(struct gl_pass *p, const struct ir_op *op)
{
    const struct conv *c = op->attr;
    struct ir_shape x = op->in[0]->shape, y = op->out->shape;
    size_t vectors = packed_vectors(&c->win, ir_slices(x), ir_slices(y));
    float *w;

    gl_source(p, conv_comp);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    if (!(w = gl_weights(p, "w", vectors)))
        return;
    pack(w, c, x.c, y.c);
    gl_params_window(p, &c->win);
    gl_define(p, "PIXELS", PIXELS);
    gl_define(p, "INFINITE_WEIGHTS", has_infinite(w, 4 * vectors));
    gl_grid_of(p, y.b, y.h, (y.w + PIXELS - 1) / PIXELS, ir_slices(y));
}

static const struct gl_variant variants[] = {{"direct", NULL, emit}, {NULL}};
static const struct ir_kind kind = {"conv", IR_CONV, 1, variants};

struct ir_op *ir_conv(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, const float *bias,
                      struct ir_value *y)
{
    struct ir_op *op = w ? ir_op_new(ir, &kind, IR_INS(x), y, sizeof(struct conv)) : NULL;

    if (op)
        *(struct conv *)op->attr = (struct conv){*win, w, bias};
    return op;
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct opt_conv_2d *o = n->opt;
    const struct tensor *w = node_in(n, 1);

    (void)g;
    if (!window_inputs(n, why))
        return false;
    if (w->dim[3] != n->in[0]->dim[3])
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "grouped: the filter has %d channels, the input %d",
                          w->dim[3], n->in[0]->dim[3]);
    return window_weights_fit(lim, 1 + 4 * (uint64_t)w->dim[1] * (uint64_t)w->dim[2] * (((uint64_t)w->dim[3] + 3) / 4),
                              w->dim[0], why) && gl_activation(o->activation, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_conv_2d *o = n->opt;
    struct ir_window win = {.stride_h = o->stride_height, .stride_w = o->stride_width,
                            .dilation_h = o->dilation_height_factor, .dilation_w = o->dilation_width_factor};
    const float *bias;
    enum status st;

    if ((st = window_of(n, o->padding, &win, err)) || (st = window_bias(ir, n, &bias, err)))
        return st;
    return ir_activation(ir, ir_conv(ir, ir_in(ir, n, 0), &win, ir_floats(ir, n->in[1]), bias, ir_out(ir, n, 0)),
                         o->activation) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_conv = {.max_version = 8, .accept = accept, .lower = lower};
