/* SPDX-License-Identifier: Apache-2.0 */
/* exact_pool.c - AVERAGE_POOL_2D and MAX_POOL_2D of integers: means round halves away from zero. */
#include "kernels_cpu/quant/fused_activation.h"
#include "kernels_gl/common/operands.h"
#include "kernels_gl/ops/pool.h"

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_pool *pool = op->attr;

    gl_source(p, exact_pool_comp);
    gl_operands(p, "x z");
    gl_params_window(p, &pool->win);
    GL_DEFINES(p, "MAX MEAN COUNTED", pool->of == POOL_MAX, pool->of == POOL_MEAN, op->n_in > 1);
    GL_PARAMS(p, "LEAST MOST", pool->range.lo, pool->range.hi);
}

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct ir_window *w = &((const struct exact_pool *)op->attr)->win;
    const struct ir_shape x = op->in[0]->shape;

    return GL_PASSES((uint64_t)lesser(w->kernel_h, x.h), (uint64_t)lesser(w->kernel_w, x.w));
}

static const struct gl_variant variants[] = {{"window", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_exact_pool = {.name = "exact_pool", GL_VARIANTS(variants)};

bool ir_exact_pool(struct ir *ir, struct ir_value *x, struct ir_value *counts, const struct exact_pool *pool, struct ir_value *y)
{
    return x && y && ir_op_with(ir, &gl_kind_exact_pool, (struct ir_value *[]){x, counts}, counts ? 2 : 1, y, pool, sizeof *pool);
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct opt_pool_2d *o = n->opt;
    struct range_i32 range;
    struct err err = {""};

    if (!n->op->gl->accept(lim, n, why) || !gl_keeps_type(n, why))
        return false;
    /* A sum of as many values of 16 bits fits 32. */
    if (!n->op->gl->arg && (int64_t)o->filter_height * o->filter_width > 1 << 15)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "sums of %d x %d integers may leave 32 bits", o->filter_height,
                          o->filter_width);
    return activation_range_quant(o->activation, n->out[0], &range, &err)
               ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg)
               : true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_pool_2d *o = n->opt;
    struct exact_pool pool = {.of = n->op->gl->arg ? POOL_MAX : POOL_MEAN};
    enum status st = pool_window(n, o, &pool.win, err);

    if (st || (st = activation_range_quant(o->activation, n->out[0], &pool.range, err)))
        return st;
    return ir_exact_pool(ir, ir_in(ir, n, 0), NULL, &pool, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_exact_pool = {
    .max_version = 3, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED, .accept = accept, .lower = lower};
