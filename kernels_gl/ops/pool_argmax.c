/* SPDX-License-Identifier: Apache-2.0 */
/* pool_argmax.c - MediaPipe's MaxPoolingWithArgmax2D, which also says where each maximum was, and its inverse, MaxUnpooling2D. */
#include <string.h>

#include "kernels_gl/common/operands.h"
#include "kernels_gl/common/window.h"
#include "kernels_gl/ops/pool.h"

/* Indices up to this are exact in half precision. */
#define MOST_TAPS 2048

/* Those of a custom op are bytes that begin with the same struct; the shape function has checked their number. */
static struct opt_pool_2d options(const struct node *n)
{
    struct opt_pool_2d o = {0};

    memcpy(&o, n->custom, offsetof(struct opt_pool_2d, computed));
    return o;
}

static bool argmax_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct opt_pool_2d o;

    (void)lim;
    if (!gl_runtime(n, 0, "input", why))
        return false;
    o = options(n);
    if ((int64_t)o.filter_width * o.filter_height > MOST_TAPS)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "a window of %d by %d; indices go up to %d", o.filter_width,
                          o.filter_height, MOST_TAPS);
    return gl_activation(o.activation, why);
}

static enum status argmax_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct opt_pool_2d o = options(n);
    struct ir_window w;
    enum status st = pool_window(n, &o, &w, err);
    struct ir_op *op;

    if (st)
        return st;
    op = ir_pool(ir, ir_in(ir, n, 0), &w, true, ir_out(ir, n, 0));
    if (!op || !(op->out2 = ir_out(ir, n, 1)))
        return ir_nomem(err);
    return ir_activation(ir, op, o.activation) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_max_pool_argmax = {.max_version = 1, .accept = argmax_accept, .lower = argmax_lower};

/* ---- MaxUnpooling2D: values go back to where in their windows the maxima were, zeros elsewhere ----
 *
 * Each output pixel looks at the windows that cover it. An index beyond its own window, which MaxPoolingWithArgmax2D does not
 * make, names no place here; of LiteRtMaxUnpooling2D, whose INT32 indices count elements of an image, one of another channel
 * neither. */

static void unpool_emit(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, unpool_comp);
    gl_define(p, "IN_IMAGE", op->in[1]->type == IR_INT);
    gl_params_window(p, op->attr);
    gl_operands(p, "x index");
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;

    return GL_PASSES(((uint64_t)w->kernel_h + (uint64_t)w->stride_h - 1) / (uint64_t)w->stride_h,
                     ((uint64_t)w->kernel_w + (uint64_t)w->stride_w - 1) / (uint64_t)w->stride_w);
}

static const struct gl_variant variants[] = {{"gather", NULL, unpool_emit, .iterations = iterations}};
const struct ir_kind gl_kind_unpool = {.name = "max_unpool", GL_VARIANTS(variants)};

static bool unpool_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_storable(lim, n, 0, 2, why))
        return false;
    if (ir_type_of(n->in[0]) != IR_FLOAT)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "values of type %s", type_name(n->in[0]->type));
    return true;
}

static enum status unpool_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_op *op = ir_op_new(ir, &gl_kind_unpool, IR_INS(ir_in(ir, n, 0), ir_in(ir, n, 1)), ir_out(ir, n, 0),
                                 sizeof(struct ir_window));
    const int32_t *x = n->in[0]->dim, *y = n->out[0]->dim;
    struct opt_pool_2d o;

    if (!op)
        return ir_nomem(err);
    o = options(n);
    *(struct ir_window *)op->attr = (struct ir_window){.kernel_h = o.filter_height,
                                                       .kernel_w = o.filter_width,
                                                       .stride_h = o.stride_height,
                                                       .stride_w = o.stride_width,
                                                       .dilation_h = 1,
                                                       .dilation_w = 1,
                                                       .pad_h = window_overlap(x[1], o.filter_height, o.stride_height, y[1]),
                                                       .pad_w = window_overlap(x[2], o.filter_width, o.stride_width, y[2])};
    return ST_OK;
}

const struct gl_kernel gl_max_unpool = {
    .max_version = 1, .in_types = TAKES_FLOAT | TAKES_INT, .accept = unpool_accept, .lower = unpool_lower};
