/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - AVERAGE_POOL_2D, L2_POOL_2D, MAX_POOL_2D. */
#include "kernels_gl/ops/pool.h"

#include <float.h>

#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/split_k.h"
#include "lib/gl/lower/exact.h"

struct pool {
    struct ir_window win;
    /* One of several steps: the windows are cut into blocks of this size, block_h x block_w elements at most, parts_h x parts_w of
     * them beside each other. */
    int32_t block_h, block_w, parts_h, parts_w;
    const struct ir_window *whole; /* the last step: the windows of what was pooled first, whose extents are these */
    struct ir_shape from;
    struct ir_window padded; /* what `whole` points to where a border became padding, which counts among the elements of a mean */
    bool max, partial;
};

static struct ir_op *pool_new(struct ir *ir, struct ir_value *x, const struct pool *pool, struct ir_value *y);

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct pool *pool = op->attr;

    gl_source(p, pool_comp);
    gl_params_window(p, &pool->win);
    GL_DEFINES(p, "MAX PARTIAL", pool->max, pool->partial);
    gl_operands(p, "x");
    if (pool->partial) {
        GL_PARAMS(p, "BLOCK_H BLOCK_W PARTS_H PARTS_W", pool->block_h, pool->block_w, pool->parts_h, pool->parts_w);
    }
    if (pool->whole) {
        gl_define(p, "WHOLE", 1);
        GL_PARAMS(p, "WHOLE_H WHOLE_W WHOLE_STRIDE_H WHOLE_STRIDE_W WHOLE_PAD_H WHOLE_PAD_W FROM_H FROM_W", pool->whole->kernel_h,
                  pool->whole->kernel_w, pool->whole->stride_h, pool->whole->stride_w, pool->whole->pad_h, pool->whole->pad_w,
                  pool->from.h, pool->from.w);
    }
    if (op->out2) {
        gl_define(p, "ARGMAX", 1);
        gl_output(p, "index", op->out2);
    }
}

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct pool *pool = op->attr;
    struct ir_shape x = op->in[0]->shape;

    return GL_PASSES((uint64_t)lesser(pool->block_h, x.h), (uint64_t)lesser(pool->block_w, x.w));
}

static uint64_t steps(const struct ir_op *op)
{
    const struct pool *pool = op->attr;
    struct ir_shape x = op->in[0]->shape;

    return (uint64_t)lesser(pool->block_h, x.h) * (uint64_t)lesser(pool->block_w, x.w);
}

static bool can_split(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return !op->out2 && !((const struct pool *)op->attr)->partial && split_k_fits(steps(op));
}

static bool is_long(const struct ir_op *op, const struct gl_limits *lim)
{
    return split_k_pays(steps(op), iterations(op), ir_vectors(op->out->shape), lim);
}

/* Blocks of each window beside each other, then windows over those. Only the last step knows how many elements there were: those of
 * the window that lie in the image. */
static bool split(struct ir *ir, const struct ir_op *op)
{
    static const int order[2] = {1, 0};
    const struct pool *whole = op->attr;
    struct pool part = *whole, rest = *whole;
    struct ir_shape y = op->out->shape;
    int32_t block[2] = {part.win.kernel_h, part.win.kernel_w};
    struct ir_value *partial;

    split_k_shorten(block, order, 2, (uint64_t)split_k_length((uint64_t)block[0] * (uint64_t)block[1], ir_vectors(y)));
    part.block_h = block[0];
    part.block_w = block[1];
    part.parts_h = split_k_count(part.win.kernel_h, block[0]);
    part.parts_w = split_k_count(part.win.kernel_w, block[1]);
    part.partial = true;
    part.whole = NULL;
    rest.win = (struct ir_window){.kernel_h = part.parts_h,
                                  .kernel_w = part.parts_w,
                                  .stride_h = part.parts_h,
                                  .stride_w = part.parts_w,
                                  .dilation_h = 1,
                                  .dilation_w = 1};
    rest.block_h = part.parts_h;
    rest.block_w = part.parts_w;
    if (!rest.whole) {
        rest.whole = &whole->win;
        rest.from = op->in[0]->shape;
    }
    y.h = split_k_extent(y.h, part.parts_h);
    y.w = split_k_extent(y.w, part.parts_w);
    partial = ir_temp_full(ir, IR_FLOAT, y);
    return pool_new(ir, op->in[0], &part, partial) && ir_hand_over(op, pool_new(ir, partial, &rest, op->out));
}

static const struct gl_variant variants[] = {
    {"split", can_split, .expand = split, .pays = is_long},
    {"window", NULL, emit, .iterations = iterations},
};

/* What nothing is larger than the kernel takes for outside, too. */
static bool max_takes_border(const struct ir_op *op, float value)
{
    return !op->out2 && value <= -FLT_MAX;
}

static bool average_takes_border(const struct ir_op *op, float value)
{
    return value == 0 && !((const struct pool *)op->attr)->whole;
}

static void average_take_border(struct ir_op *op, const struct ir_op *pad)
{
    struct pool *pool = op->attr;

    pool->padded = pool->win;
    pool->whole = &pool->padded;
    pool->from = pad->out->shape;
}

const struct ir_kind gl_kind_max_pool = {.name = "max_pool", GL_VARIANTS(variants), IR_TRAITS(.takes_border = max_takes_border)};
const struct ir_kind gl_kind_average_pool = {.name = "average_pool",
                                             GL_VARIANTS(variants),
                                             IR_TRAITS(.takes_border = average_takes_border, .take_border = average_take_border)};

static struct ir_op *pool_new(struct ir *ir, struct ir_value *x, const struct pool *pool, struct ir_value *y)
{
    return ir_op_with(ir, pool->max ? &gl_kind_max_pool : &gl_kind_average_pool, IR_INS(x), y, pool, sizeof *pool);
}

struct ir_op *ir_pool(struct ir *ir, struct ir_value *x, const struct ir_window *window, bool max, struct ir_value *y)
{
    return pool_new(ir, x, &(struct pool){.win = *window, .block_h = window->kernel_h, .block_w = window->kernel_w, .max = max}, y);
}

enum status pool_window(const struct node *n, const struct opt_pool_2d *o, struct ir_window *window, struct err *err)
{
    const int32_t *x = n->in[0]->dim;
    int32_t length;
    enum status st;

    *window = (struct ir_window){.kernel_h = o->filter_height,
                                 .kernel_w = o->filter_width,
                                 .stride_h = o->stride_height,
                                 .stride_w = o->stride_width,
                                 .dilation_h = 1,
                                 .dilation_w = 1};
    st = shape_window(x[1], window->kernel_h, window->stride_h, 1, o->padding, &length, &window->pad_h, err);
    return st ? st : shape_window(x[2], window->kernel_w, window->stride_w, 1, o->padding, &length, &window->pad_w, err);
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return gl_runtime(n, 0, "input", why) && gl_activation(((const struct opt_pool_2d *)n->opt)->activation, why);
}

/* The largest of a window is there already. */
bool gl_reals_max_pool(const struct node *n)
{
    return gl_reals_same_steps(n) && ((const struct opt_pool_2d *)n->opt)->activation == ACT_NONE;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_pool_2d *o = n->opt;
    const bool max = n->op->gl->arg != NULL;
    struct ir_window w;
    enum status st = pool_window(n, o, &w, err);

    if (st)
        return st;
    return ir_activation(ir, ir_pool(ir, ir_in(ir, n, 0), &w, max, ir_out(ir, n, 0)), o->activation) ? ST_OK : ir_nomem(err);
}

/* The root of the mean of squares. */
static enum status l2_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_pool_2d *o = n->opt;
    struct ir_value *x = ir_in(ir, n, 0), *squares = x ? ir_temp_full(ir, IR_FLOAT, x->shape) : NULL;
    struct ir_window w;
    struct ir_op *op;
    enum status st = pool_window(n, o, &w, err);

    if (st)
        return st;
    if (!ir_map(ir, &fn_square, (struct ir_value *[3]){x}, NULL, squares))
        return ir_nomem(err);
    op = ir_pool(ir, squares, &w, false, ir_out(ir, n, 0));
    return ir_apply(ir, op, &fn_sqrt, NULL, NULL, IR_FLOAT) && ir_activation(ir, op, o->activation) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_average_pool_2d = {.max_version = 3, .accept = accept, .lower = lower};
const struct gl_kernel gl_max_pool_2d = {
    .max_version = 3, .quantized = TAKES_QUANTIZED, .accept = accept, .lower = lower, .arg = &gl_kind_max_pool};
const struct gl_kernel gl_l2_pool = {.max_version = 1, .accept = accept, .lower = l2_lower};
