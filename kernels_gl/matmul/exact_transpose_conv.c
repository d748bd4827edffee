/* SPDX-License-Identifier: Apache-2.0 */
/* exact_transpose_conv.c - TRANSPOSE_CONV in integers: each output pixel gathers the input pixels whose windows cover it. */
#include "kernels_cpu/matmul/transpose_conv.h"
#include "kernels_cpu/quant/widen.h"
#include "kernels_gl/common/split_k.h"
#include "kernels_gl/matmul/exact_hybrid.h"
#include "kernels_gl/matmul/transpose_conv.h"
#include "kernels_gl/quant/exact_weights.h"

enum { SHAPE, FILTER, INPUT, BIAS };

struct exact_tconv {
    struct ir_window win; /* of the forward convolution */
    struct exact_weights w;
    struct exact_requant q;
    int32_t x_zero;
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_tconv *t = op->attr;

    exact_source_of(p, &t->w, exact_transpose_conv_comp);
    gl_operands(p, "x");
    exact_inputs(p, op, &t->w);
    exact_weights_dense(p, &t->w);
    gl_params_window(p, &t->win);
    gl_param(p, "X_ZERO", t->x_zero);
}

/* Of the taps along an axis one in `stride` meets an input pixel. */
static uint64_t iterations(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;

    return GL_PASSES((uint64_t)split_k_count(w->kernel_h, w->stride_h) + 1, (uint64_t)split_k_count(w->kernel_w, w->stride_w) + 1,
                     (uint64_t)ir_slices(op->in[0]->shape));
}

static const struct gl_variant variants[] = {{"gather", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_exact_transpose_conv = {.name = "exact_transpose_conv", .constants = 1, GL_VARIANTS(variants)};

static enum status fill(struct exact_tconv *t, const struct node *n, struct arena *a, struct err *err)
{
    const struct tensor *w = n->in[FILTER], *x = n->in[INPUT];
    const struct tconv cpu = {.input = x,
                              .filter = w,
                              .bias = node_in(n, BIAS),
                              .g.oc = w->dim[0],
                              .activation = ((const struct opt_transpose_conv *)n->opt)->activation};
    const struct requant_spec spec = tconv_quant_spec(&cpu, n->out[0]);
    const bool hybrid = x->type == TYPE_FLOAT32;
    enum status st = hybrid ? quant_check_filter(w, 0, err) : tconv_quant_check(&cpu, n->out[0], err);

    *t = (struct exact_tconv){.win = transpose_conv_window(n),
                              .x_zero = hybrid ? 0 : quant_zero(x),
                              .q = exact_requant_hybrid(w, cpu.bias, spec.channels)};
    t->w = (struct exact_weights){.data = w->is_const ? w->data : NULL,
                                  .type = w->type,
                                  .zero = hybrid ? 0 : quant_zero(w),
                                  .n_out = spec.channels,
                                  .taps = (size_t)w->dim[1] * (size_t)w->dim[2],
                                  .n_in = (size_t)w->dim[3]};
    t->w.step_t = t->w.n_in;
    t->w.step_o = t->w.taps * t->w.n_in;
    return st || hybrid
               ? st
               : exact_requant_init(&t->q, &spec, exact_weights_most(&t->w, x->type == TYPE_INT16 ? 1 << 15 : 255), a, err);
}

/* What the operator's own accept asks, of a filter and a bias that it does not take. */
static bool values_fit(const struct node *n, struct reason *why)
{
    return gl_runtime(n, INPUT, "input", why) && exact_values_fit(n, INPUT, FILTER, BIAS, (size_t)n->in[FILTER]->dim[0], why) &&
           gl_activation(((const struct opt_transpose_conv *)n->opt)->activation, why);
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct exact_tconv t;
    struct arena a = {0};
    struct err err = {""};
    enum status st;

    if (exact_has_values(n, FILTER, BIAS) ? !values_fit(n, why) : !n->op->gl->accept(lim, n, why))
        return false;
    if (!((TAKES_QUANTIZED | TAKES_FLOAT) >> n->in[INPUT]->type & 1) || !((TAKES_8BIT | TAKES_PACKED) >> n->in[FILTER]->type & 1))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION,
                          "values of type %s times weights of type %s have no exact integer shader", type_name(n->in[INPUT]->type),
                          type_name(n->in[FILTER]->type));
    st = fill(&t, n, &a, &err);
    arena_free(&a);
    return !st || reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const bool hybrid = n->in[INPUT]->type == TYPE_FLOAT32;
    struct hybrid_value v = {ir_in(ir, n, INPUT), NULL};
    const struct tensor *bias = exact_bias_behind(n, FILTER, BIAS);
    struct ir_value *y = ir_out(ir, n, 0);
    struct exact_values in = {0};
    struct exact_tconv *t;
    struct ir_op *op;
    enum status st;

    if ((hybrid && !ir_exact_hybrid(ir, v.q, false, true, &v)) || !exact_values_of(ir, n, FILTER, BIAS, &in))
        return ir_nomem(err);
    in.steps = v.steps;
    op = exact_op_new(ir, &gl_kind_exact_transpose_conv, v.q, &in, exact_without_bias(ir, bias, y), sizeof(struct exact_tconv));
    if (!op)
        return ir_nomem(err);
    t = op->attr;
    st = fill(t, n, ir->arena, err);
    t->w.q = &t->q;
    op = exact_add_bias(ir, bias, op, y);
    if (!st && hybrid && !ir_activation(ir, op, ((const struct opt_transpose_conv *)n->opt)->activation))
        return ir_nomem(err);
    return st;
}

const struct gl_kernel gl_exact_transpose_conv = {.max_version = 5,
                                                  .in_types = TAKES_FLOAT | TAKES_QUANTIZED | TAKES_PACKED | TAKES_INT,
                                                  .out_types = TAKES_FLOAT | TAKES_QUANTIZED,
                                                  .accept = accept,
                                                  .lower = lower};
