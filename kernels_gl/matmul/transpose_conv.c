/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv.c - TRANSPOSE_CONV and MediaPipe's Convolution2DTransposeBias.
 *
 * Each output pixel gathers the input pixels whose windows cover it. */
#include "kernels_gl/matmul/transpose_conv.h"

#include <string.h>

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/split_k.h"
#include "kernels_gl/common/window.h"
#include "kernels_gl/matmul/conv.h"
#include "kernels_gl/matmul/conv_3d.h"
#include "kernels_gl/quant/requantize.h"
#include "lib/gl/lower/exact.h"
#include "lib/gl/lower/quantized.h"

struct tconv {
    struct ir_window window; /* of the forward convolution that this one transposes */
    const float *w, *bias;
    const float *unit; /* of the ir when it was lowered, */
    float to_counts;   /* too */
    struct split_k parts;
};

/* Of the taps along an axis one in `stride` meets an input pixel. */
static struct sum_loops loops(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;

    return (struct sum_loops){
        {split_k_count(w->kernel_h, w->stride_h), split_k_count(w->kernel_w, w->stride_w), ir_slices(op->in[0]->shape)}};
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct tconv *t = op->attr;
    struct filter f = {t->w, t->bias, op->out->shape.c, t->window.kernel_h * t->window.kernel_w, op->in[0]->shape.c};

    f.bytes = t->to_counts != 0 &&
              window_bytes(t->w, (size_t)f.n_out * (size_t)f.taps * (size_t)f.n_in, t->bias, (size_t)f.n_out, &f.offset);
    if (window_multiples(p, t->w, (size_t)f.n_out * (size_t)f.taps * (size_t)f.n_in, (size_t)f.taps * (size_t)f.n_in, t->unit,
                         (size_t)f.n_out, &f.offset)) {
        f.unit = t->unit;
        f.bytes = true;
    }
    gl_source(p, transpose_conv_comp);
    gl_params_window(p, &t->window);
    gl_operands(p, "x");
    window_filter(p, &f);
    split_k_define(p, &t->parts, (const char *const[]){"TAPS_H", "TAPS_W", "X_S"});
    GL_PARAMS(p, "TAPS_H TAPS_W", loops(op).n[0], loops(op).n[1]);
    window_counts(p, t->to_counts);
}

SUM_VARIANTS(tconv)

/* ---- by phases ----
 *
 * Output pixels a stride apart are made of the same taps, and those of a block as large as the stride of the same input pixels. So
 * blocks are the pixels of a convolution of stride 1, and what is in a block are its channels. */

/* Its output, which begins with the padding. */
static struct ir_shape phases_shape(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;
    const struct ir_shape y = op->out->shape;

    return (struct ir_shape){y.b, split_k_count(y.h + w->pad_h, w->stride_h), split_k_count(y.w + w->pad_w, w->stride_w),
                             y.c * w->stride_h * w->stride_w};
}

/* As many taps in each phase, so that no zero, which makes something of infinities, has to stand for one. */
static bool fits_phases(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct tconv *t = op->attr;
    const struct ir_window *w = &t->window;
    const struct ir_shape x = op->in[0]->shape, y = op->out->shape;
    struct reason why;

    return !t->parts.n && w->kernel_h % w->stride_h == 0 && w->kernel_w % w->stride_w == 0 && w->stride_h * w->stride_w > 1 &&
           (int64_t)y.c * w->stride_h * w->stride_w <= INT32_MAX && gl_fits(lim, op->out->type, phases_shape(op), &why) &&
           window_all_finite(t->w, (size_t)y.c * (size_t)w->kernel_h * (size_t)w->kernel_w * (size_t)x.c);
}

#define LEAST_VECTORS 4096 /* of an output image, for which two dispatches are worth while */

static bool phases_pay(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct ir_shape y = op->out->shape;

    return lim->policy.straight_code && (int64_t)y.h * y.w >= LEAST_VECTORS / ir_slices(y);
}

/* [phase row][phase column][out][taps of a phase][in] of [out][kernel_h][kernel_w][in]; the last tap meets the first pixel. */
static const float *phase_weights(struct ir *ir, const struct ir_op *op)
{
    const struct tconv *t = op->attr;
    const struct ir_window *w = &t->window;
    const int32_t n_out = op->out->shape.c, taps_h = w->kernel_h / w->stride_h, taps_w = w->kernel_w / w->stride_w;
    const size_t n_in = (size_t)op->in[0]->shape.c;
    float *all = ARENA_ARRAY(ir->arena, (size_t)n_out * (size_t)w->kernel_h * (size_t)w->kernel_w * n_in, float), *to = all;

    for (int32_t i = 0; all && i < w->stride_h * w->stride_w * n_out * taps_h * taps_w; i++, to += n_in) {
        const int32_t tap = i % (taps_h * taps_w), of = i / (taps_h * taps_w), phase = of / n_out;
        const int32_t ky = phase / w->stride_w + (taps_h - 1 - tap / taps_w) * w->stride_h;
        const int32_t kx = phase % w->stride_w + (taps_w - 1 - tap % taps_w) * w->stride_w;

        memcpy(to, t->w + (((size_t)(of % n_out) * (size_t)w->kernel_h + (size_t)ky) * (size_t)w->kernel_w + (size_t)kx) * n_in,
               n_in * sizeof *to);
    }
    return all;
}

/* What there is of each output channel, for all phases. NULL: there is none, or out of memory. */
static const float *each_phase(struct ir *ir, const float *of, int32_t n, int32_t phases)
{
    float *all = of ? ARENA_ARRAY(ir->arena, (size_t)n * (size_t)phases, float) : NULL;

    for (int32_t i = 0; all && i < phases; i++)
        memcpy(all + (size_t)i * (size_t)n, of, (size_t)n * sizeof *all);
    return all;
}

/* So that they may be applied to the result wherever it lies. */
static bool functions_read_nothing(const struct ir_op *op)
{
    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        if (ir_reads_value(e))
            return false;
    return true;
}

static bool expand_phases(struct ir *ir, const struct ir_op *op)
{
    const struct tconv *t = op->attr;
    const struct ir_window *w = &t->window;
    const int32_t n = w->stride_h * w->stride_w, n_out = op->out->shape.c;
    const bool first = functions_read_nothing(op); /* fewer vectors to apply them to, where a pixel's channels fill none */
    const struct conv c = {.win = {w->kernel_h / w->stride_h, w->kernel_w / w->stride_w, 1, 1, 1, 1, w->kernel_h / w->stride_h - 1,
                                   w->kernel_w / w->stride_w - 1},
                           .w = phase_weights(ir, op),
                           .bias = each_phase(ir, t->bias, n_out, n),
                           .unit = each_phase(ir, t->unit, n_out, n),
                           .to_counts = t->to_counts};
    struct ir_value *phases = ir_temp(ir, first ? op->out->type : op->stores, phases_shape(op));
    struct ir_op *sum, *last;

    if (!phases || !c.w || !t->bias != !c.bias || !t->unit != !c.unit || !(sum = conv_new(ir, op->in[0], &c, phases)))
        return false;
    phases->full = op->out->full || !first;
    sum->stores = op->stores;
    last = ir_depth_to_space(ir, phases, w, op->out);
    if (!last || !ir_hand_over(op, last))
        return false;
    last->stores = phases->type;
    if (first) {
        sum->epilogue = op->epilogue;
        last->epilogue = NULL;
    }
    return true;
}

static const struct gl_variant variants[] = {{"split", can_split, .expand = split, .pays = is_long},
                                             {"phases", fits_phases, .expand = expand_phases, .pays = phases_pay},
                                             {"gather", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_transpose_conv = {
    .name = "transpose_conv", .constants = 1, GL_VARIANTS(variants), .halves = true, .products = true};

/* Numbers of the inputs, and if the padding comes from the custom options. */
struct layout {
    uint32_t x, w, bias;
    bool custom;
};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct layout *l = n->op->gl->arg;

    (void)lim;
    if (!gl_runtime(n, l->x, "input", why))
        return false;
    if (!volume_takes(n, l->x, l->w, l->bias) &&
        (!gl_constant(n, l->w, "filter", why) || (ir_has_in(n, l->bias) && !gl_constant(n, l->bias, "bias", why))))
        return false;
    return l->custom || gl_activation(((const struct opt_transpose_conv *)n->opt)->activation, why);
}

/* TRANSPOSE_CONV is told its output's size, and its padding is that of the convolution of that output. The custom op has
 * windows for all of its input. */
static int32_t windows(const struct opt_transpose_conv *o, int32_t kernel, int32_t stride, int32_t out)
{
    return o->padding == PAD_SAME ? (int32_t)(((int64_t)out + stride - 1) / stride)
                                  : (int32_t)(((int64_t)out + stride - kernel) / stride);
}

static struct ir_window forward_window(const struct node *n, const struct layout *l)
{
    const int32_t *x = n->in[l->x]->dim, *w = n->in[l->w]->dim, *y = n->out[0]->dim;
    struct ir_window win = {.kernel_h = w[1], .kernel_w = w[2], .dilation_h = 1, .dilation_w = 1};

    if (l->custom) {
        int32_t options[3]; /* padding, stride_w, stride_h: TFLite's C struct */

        memcpy(options, n->custom, sizeof options);
        win.stride_h = options[2];
        win.stride_w = options[1];
        win.pad_h = window_overlap(x[1], w[1], win.stride_h, y[1]);
        win.pad_w = window_overlap(x[2], w[2], win.stride_w, y[2]);
    } else {
        const struct opt_transpose_conv *o = n->opt;

        win.stride_h = o->stride_height;
        win.stride_w = o->stride_width;
        win.pad_h = window_overlap(windows(o, w[1], win.stride_h, y[1]), w[1], win.stride_h, y[1]);
        win.pad_w = window_overlap(windows(o, w[2], win.stride_w, y[2]), w[2], win.stride_w, y[2]);
    }
    return win;
}

struct ir_window transpose_conv_window(const struct node *n)
{
    return forward_window(n, n->op->gl->arg);
}

static enum status lower_values(struct ir *ir, const struct node *n, const struct layout *l, enum activation act, struct err *err)
{
    const struct ir_window win = forward_window(n, l);
    struct volume v = volume_of_images(&win);

    v.transposed = true;
    return volume_lower(ir, n, l->x, l->w, l->bias, &v, act, err);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct layout *l = n->op->gl->arg;
    enum activation act = l->custom ? ACT_NONE : ((const struct opt_transpose_conv *)n->opt)->activation;
    struct ir_op *op;
    struct tconv *t;
    enum status st;

    if (volume_takes(n, l->x, l->w, l->bias))
        return lower_values(ir, n, l, act, err);
    op = ir_op_new(ir, &gl_kind_transpose_conv, IR_INS(ir_in(ir, n, l->x)), ir_out(ir, n, 0), sizeof(struct tconv));
    if (!op)
        return ir_nomem(err);
    if ((st = requantize_sum(ir, n, n->in[l->x], n->in[l->w], &act, err)))
        return st;
    t = op->attr;
    *t = (struct tconv){.window = forward_window(n, l),
                        .w = requantize_filter(ir, n->in[l->w]),
                        .unit = ir->lowering.unit,
                        .to_counts = ir->lowering.to_counts};
    if (ir_has_in(n, l->bias))
        t->bias = gl_quantized_bias(ir, n->in[l->x], n->in[l->w], n->in[l->bias]);
    if (!t->w || (ir_has_in(n, l->bias) && !t->bias))
        return ir_nomem(err);
    return ir_activation(ir, op, act) ? ST_OK : ir_nomem(err);
}

/* What is made at run time is multiplied as integers. */
bool gl_reals_transpose_conv(const struct node *n)
{
    return n->in[1]->is_const && (!node_in(n, 3) || n->in[3]->is_const) && requantize_is_exact(n->in[2], n->in[1], n->out[0]);
}

const struct gl_kernel gl_transpose_conv = {.max_version = 5,
                                            .quantized = TAKES_QUANTIZED,
                                            .accept = accept,
                                            .lower = lower,
                                            .arg = &(const struct layout){.x = 2, .w = 1, .bias = 3}};
const struct gl_kernel gl_convolution_2d_transpose_bias = {
    .max_version = 1,
    .quantized = TAKES_QUANTIZED,
    .accept = accept,
    .lower = lower,
    .arg = &(const struct layout){.x = 0, .w = 1, .bias = 2, .custom = true}};
