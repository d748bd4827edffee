/* conv.c - CONV_2D on GL: direct convolution, four output channels an invocation. */
#include "kinds.h"

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

static void emit(struct gl_pass *p, const struct ir_op *op)
{
    const struct conv *c = op->attr;
    struct ir_shape x = op->in[0]->shape, y = op->out->shape;
    float *w;

    gl_source(p, conv_comp);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    w = gl_weights(p, "w", packed_vectors(&c->win, ir_slices(x), ir_slices(y)));
    if (w)
        pack(w, c, x.c, y.c);
    gl_params_window(p, &c->win);
    gl_define(p, "PIXELS", PIXELS);
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

/* What the weights take when packed, against the device's largest buffer. */
static bool weights_fit(const struct gl_limits *lim, const struct tensor *w, struct reason *why)
{
    uint64_t bytes = tensor_elems(w) ? (((uint64_t)w->dim[0] + 3) / 4) * (1 + 4 * (uint64_t)w->dim[1] * (uint64_t)w->dim[2] *
                     (((uint64_t)w->dim[3] + 3) / 4)) * 16 : 0;

    if (bytes && bytes <= lim->storage_block_bytes)
        return true;
    return reason_set(why, REASON_DEVICE_LIMIT, "the filter %s needs %llu bytes, a buffer holds %llu", TENSOR_TEXT(w),
                      (unsigned long long)bytes, (unsigned long long)lim->storage_block_bytes);
}

static bool conv_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct opt_conv_2d *o = n->opt;

    (void)g;
    if (!gl_arity(n, 2, 3, 1, why) || !gl_runtime(n, 0, "input", why) || !gl_constant(n, 1, "filter", why) ||
        (ir_has_in(n, 2) && !gl_constant(n, 2, "bias", why)))
        return false;
    if (n->in[0]->rank != 4 || n->in[1]->rank != 4)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "input and filter must have rank 4");
    if (n->in[1]->dim[3] != n->in[0]->dim[3])
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "grouped: the filter has %d channels, the input %d",
                          n->in[1]->dim[3], n->in[0]->dim[3]);
    return weights_fit(lim, n->in[1], why) && gl_activation(o->activation, why);
}

static enum status conv_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_conv_2d *o = n->opt;
    const struct tensor *x = n->in[0], *w = n->in[1];
    struct ir_window win = {.kernel_h = w->dim[1], .kernel_w = w->dim[2], .stride_h = o->stride_height,
                            .stride_w = o->stride_width, .dilation_h = o->dilation_height_factor,
                            .dilation_w = o->dilation_width_factor};
    const float *bias = ir_has_in(n, 2) ? ir_floats(ir, n->in[2]) : NULL;
    struct ir_op *op;
    int32_t out;
    enum status st;

    if ((st = shape_window(x->dim[1], win.kernel_h, win.stride_h, win.dilation_h, o->padding, &out, &win.pad_h, err)) ||
        (st = shape_window(x->dim[2], win.kernel_w, win.stride_w, win.dilation_w, o->padding, &out, &win.pad_w, err)))
        return st;
    if (ir_has_in(n, 2) && !bias)
        return ir_nomem(err);
    op = ir_conv(ir, ir_in(ir, n, 0), &win, ir_floats(ir, w), bias, ir_out(ir, n, 0));
    return ir_activation(ir, op, o->activation) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_conv = {.max_version = 8, .accept = conv_accept, .lower = conv_lower};
