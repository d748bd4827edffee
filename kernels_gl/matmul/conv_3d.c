/* SPDX-License-Identifier: Apache-2.0 */
/* conv_3d.c - CONV_3D and CONV_3D_TRANSPOSE, and convolutions of images whose filter or bias is computed at run time. */
#include "kernels_gl/matmul/conv_3d.h"

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"

static int32_t groups(const struct ir_op *op)
{
    return op->in[0]->shape.c / op->in[1]->shape.c;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct volume *v = op->attr;

    gl_source(p, conv_3d_comp);
    GL_DEFINES(p, "TRANSPOSED DEPTHWISE GROUPS MULTIPLIER", v->transposed, v->depthwise, v->depthwise ? 1 : groups(op),
               v->depthwise ? op->out->shape.c / op->in[0]->shape.c : 1);
    gl_params_window(p, &v->win);
    GL_PARAMS(p, "KERNEL_D STRIDE_D DILATION_D PAD_D IN_D OUT_D", v->kernel_d, v->stride_d, v->dilation_d, v->pad_d, v->in_d,
              v->out_d);
    gl_operands(p, "x f");
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct volume *v = op->attr;
    const uint64_t d = (uint64_t)v->kernel_d, h = (uint64_t)v->win.kernel_h, w = (uint64_t)v->win.kernel_w;

    if (v->depthwise)
        return GL_PASSES(d, h, w);
    if (groups(op) > 1)
        return GL_PASSES(d, h, w, 4, (uint64_t)op->in[1]->shape.c);
    return GL_PASSES(d, h, w, (uint64_t)ir_slices(op->in[0]->shape));
}

static const struct gl_variant variants[] = {{"values", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_conv_3d = {.name = "conv_3d", GL_VARIANTS(variants)};

/* `w`: [out, kernel_d * kernel_h, kernel_w, in], or that of a depthwise convolution. */
static bool convolve(struct ir *ir, struct ir_value *x, struct ir_value *w, struct ir_value *bias, const struct volume *v,
                     enum activation act, struct ir_value *y)
{
    struct ir_op *op = ir_op_with(ir, &gl_kind_conv_3d, IR_INS(x, w), y, v, sizeof *v);

    if (!op || (bias && !ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, bias}, NULL, IR_FLOAT)))
        return false;
    return ir_activation(ir, op, act);
}

static struct ir_value *bias_value(struct ir *ir, const struct node *n, uint32_t i, int32_t channels)
{
    return ir_reshaped(ir, ir_in(ir, n, i), (struct ir_shape){1, 1, 1, channels});
}

/* ---- of images ---- */

struct volume volume_of_images(const struct ir_window *win)
{
    return (struct volume){.win = *win, .kernel_d = 1, .stride_d = 1, .dilation_d = 1, .in_d = 1, .out_d = 1};
}

bool volume_takes(const struct node *n, uint32_t x, uint32_t filter, uint32_t bias)
{
    const struct tensor *t = node_in(n, x), *w = node_in(n, filter), *b = node_in(n, bias);

    if (!t || !w || t->is_const || (w->is_const && (!b || b->is_const)))
        return false;
    return t->type == TYPE_FLOAT32 && w->type == TYPE_FLOAT32 && (!b || b->type == TYPE_FLOAT32) && t->rank == 4 && w->rank == 4;
}

enum status volume_lower(struct ir *ir, const struct node *n, uint32_t x, uint32_t filter, uint32_t bias, const struct volume *v,
                         enum activation act, struct err *err)
{
    struct ir_value *y = ir_out(ir, n, 0), *add = NULL;

    if (!y || (ir_has_in(n, bias) && !(add = bias_value(ir, n, bias, y->shape.c))))
        return ir_nomem(err);
    return convolve(ir, ir_in(ir, n, x), ir_in(ir, n, filter), add, v, act, y) ? ST_OK : ir_nomem(err);
}

/* ---- CONV_3D: filter [kd, kh, kw, in, out]; CONV_3D_TRANSPOSE: [kd, kh, kw, out, in] ---- */

struct layout {
    uint32_t x, w, bias;
    bool transposed;
};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct layout *l = n->op->gl->arg;

    if (!gl_runtime(n, l->x, "input", why))
        return false;
    for (uint32_t i = l->x < l->w ? l->x : l->w; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->type != TYPE_FLOAT32)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s", i, type_name(n->in[i]->type));
    return gl_storable(lim, n, l->w, l->w + 1, why) && gl_activation(((const struct opt_conv_3d *)n->opt)->activation, why);
}

/* The filter as [out, kd * kh, kw, in]. */
static struct ir_value *filter_of(struct ir *ir, const struct node *n, const struct layout *l)
{
    static const int32_t order[2][5] = {{4, 0, 1, 2, 3}, {3, 0, 1, 2, 4}};
    const struct tensor *w = n->in[l->w];
    struct axis_gather gather = {.rank = 5};
    struct ir_value *y;

    for (int i = 0; i < 5; i++) {
        gather.x[i] = w->dim[i];
        gather.axis[i] = order[l->transposed][i];
        gather.y[i] = w->dim[gather.axis[i]];
    }
    y = ir_temp(ir, IR_FLOAT, (struct ir_shape){gather.y[0], gather.y[1] * gather.y[2], gather.y[3], gather.y[4]});
    return ir_axis_gather(ir, ir_in(ir, n, l->w), &gather, y) ? y : NULL;
}

/* The forward convolution's, from the larger side to the smaller one. */
static enum status window_3d(const struct node *n, const struct layout *l, struct volume *v, struct err *err)
{
    const struct opt_conv_3d *o = n->opt;
    const int32_t *x = n->in[l->x]->dim, *w = n->in[l->w]->dim, *y = n->out[0]->dim, *from = l->transposed ? y : x;
    int32_t length;
    enum status st;

    *v = (struct volume){.win = {.kernel_h = w[1],
                                 .kernel_w = w[2],
                                 .stride_h = o->stride_height,
                                 .stride_w = o->stride_width,
                                 .dilation_h = o->dilation_height_factor,
                                 .dilation_w = o->dilation_width_factor},
                         .kernel_d = w[0],
                         .stride_d = o->stride_depth,
                         .dilation_d = o->dilation_depth_factor,
                         .in_d = x[1],
                         .out_d = y[1],
                         .transposed = l->transposed};
    if ((st = shape_window(from[1], w[0], v->stride_d, v->dilation_d, o->padding, &length, &v->pad_d, err)) ||
        (st = shape_window(from[2], w[1], v->win.stride_h, v->win.dilation_h, o->padding, &length, &v->win.pad_h, err)))
        return st;
    return shape_window(from[3], w[2], v->win.stride_w, v->win.dilation_w, o->padding, &length, &v->win.pad_w, err);
}

static struct ir_shape images(const struct tensor *t)
{
    int32_t n;

    if (__builtin_mul_overflow(t->dim[0], t->dim[1], &n))
        n = INT32_MAX; /* fits no device */
    return (struct ir_shape){n, t->dim[2], t->dim[3], t->dim[4]};
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct layout *l = n->op->gl->arg;
    struct ir_value *x = ir_reshaped(ir, ir_in(ir, n, l->x), images(n->in[l->x])), *y = ir_out(ir, n, 0), *natural, *bias = NULL;
    struct volume v;
    enum status st = window_3d(n, l, &v, err);

    if (st)
        return st;
    natural = ir_begin_reshape(ir, y, images(n->out[0]));
    if (!natural || (ir_has_in(n, l->bias) && !(bias = bias_value(ir, n, l->bias, natural->shape.c))))
        return ir_nomem(err);
    if (!convolve(ir, x, filter_of(ir, n, l), bias, &v, ((const struct opt_conv_3d *)n->opt)->activation, natural) ||
        !ir_end_reshape(ir, natural, y))
        return ir_nomem(err);
    return ST_OK;
}

const struct gl_kernel gl_conv_3d = {
    .max_version = 1, .accept = accept, .lower = lower, .arg = &(const struct layout){.x = 0, .w = 1, .bias = 2}};
const struct gl_kernel gl_conv_3d_transpose = {.max_version = 1,
                                               .accept = accept,
                                               .lower = lower,
                                               .arg = &(const struct layout){.x = 2, .w = 1, .bias = 3, .transposed = true}};
