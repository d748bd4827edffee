/* conv.c - CONV_2D on GL: direct convolution, four output channels an invocation. */
#include <math.h>

#include "kinds.h"
#include "window.h"

#define PIXELS 4

struct conv {
    struct ir_window win;            /* first: passes merge padding into it */
    const float *w, *bias;           /* [out][kernel_h][kernel_w][in], [out] or NULL */
};

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
    struct filter f = {c->w, c->bias, y.c, c->win.kernel_h * c->win.kernel_w, x.c};

    gl_source(p, conv_comp);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    window_filter(p, &f);
    gl_params_window(p, &c->win);
    gl_define(p, "PIXELS", PIXELS);
    gl_define(p, "INFINITE_WEIGHTS", has_infinite(c->w, (size_t)f.n_out * (size_t)f.taps * (size_t)f.n_in));
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
    return window_filter_fits(lim, w->dim[0], (int64_t)w->dim[1] * w->dim[2], w->dim[3], why) &&
           gl_activation(o->activation, why);
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
