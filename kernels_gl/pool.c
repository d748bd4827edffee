/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - AVERAGE_POOL_2D, MAX_POOL_2D, and MediaPipe's MaxPoolingWithArgmax2D, which also says where each maximum was. */
#include <string.h>

#include "moves.h"

/* Indices up to this are exact in half precision. */
#define MOST_TAPS 2048

static void emit(struct gl_shader *p, const struct ir_op *op, bool max)
{
    gl_source(p, pool_comp);
    gl_params_window(p, op->attr);
    gl_define(p, "MAX", max);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    if (op->out2) {
        gl_define(p, "ARGMAX", 1);
        gl_output(p, "index", op->out2);
    }
    gl_grid(p, op->out->shape);
}

static void emit_max(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op, true);
}

static void emit_average(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op, false);
}

static const struct gl_variant max_variants[] = {{"window", NULL, emit_max}, {NULL}};
static const struct gl_variant average_variants[] = {{"window", NULL, emit_average}, {NULL}};

static const struct ir_kind kind_max_pool = {.name = "max_pool", .variants = max_variants};
static const struct ir_kind kind_average_pool = {.name = "average_pool", .variants = average_variants};

/* Those of a custom op are bytes that begin with the same struct; the shape function has checked their number. */
static struct opt_pool_2d options(const struct node *n)
{
    struct opt_pool_2d o = {0};

    memcpy(&o, n->opt ? n->opt : n->custom, offsetof(struct opt_pool_2d, computed));
    return o;
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    struct opt_pool_2d o;

    (void)lim;
    (void)g;
    if (!gl_arity(n, 1, 1, n->opt ? 1 : 2, why) || !gl_runtime(n, 0, "input", why))
        return false;
    o = options(n);
    if (n->n_out == 2 && (int64_t)o.filter_width * o.filter_height > MOST_TAPS)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "a window of %d by %d; indices go up to %d", o.filter_width,
                          o.filter_height, MOST_TAPS);
    return gl_activation(o.activation, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct opt_pool_2d o = options(n);
    struct ir_window w = {.kernel_h = o.filter_height,
                          .kernel_w = o.filter_width,
                          .stride_h = o.stride_height,
                          .stride_w = o.stride_width,
                          .dilation_h = 1,
                          .dilation_w = 1};
    const int32_t *x = n->in[0]->dim;
    int32_t length;
    enum status st;
    struct ir_op *op;

    if ((st = shape_window(x[1], w.kernel_h, w.stride_h, 1, o.padding, &length, &w.pad_h, err)) ||
        (st = shape_window(x[2], w.kernel_w, w.stride_w, 1, o.padding, &length, &w.pad_w, err)))
        return st;
    if (!(op = ir_op_new(ir, n->op->gl->arg, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), sizeof w)))
        return ir_nomem(err);
    *(struct ir_window *)op->attr = w;
    if (n->n_out == 2 && !(op->out2 = ir_out(ir, n, 1)))
        return ir_nomem(err);
    return ir_activation(ir, op, o.activation) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_average_pool_2d = {.max_version = 3, .accept = accept, .lower = lower, .arg = &kind_average_pool};
const struct gl_kernel gl_max_pool_2d = {.max_version = 3, .accept = accept, .lower = lower, .arg = &kind_max_pool};
const struct gl_kernel gl_max_pool_argmax = {.max_version = 1, .accept = accept, .lower = lower, .arg = &kind_max_pool};
