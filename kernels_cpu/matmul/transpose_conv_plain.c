/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv_plain.c - the reference kernel of transposed convolutions: their definition, for all types. */
#include "kernels_cpu/matmul/transpose_conv.h"
#include "kernels_cpu/matmul/window_plain.h"
#include "kernels_cpu/quant/widen.h"

struct tconv_plan {
    const struct tconv_impl *impl;
    struct window_plain w;
};

static enum status hybrid_init(struct reference_product *p, const struct tconv *t, struct err *err)
{
    enum status st = activation_range(t->activation, &p->range, err);

    p->kind = REFERENCE_HYBRID_FLOATS;
    p->asymmetric = true;
    return st ? st : quant_check_filter(t->filter, 0, err);
}

static enum status tconv_plain_prepare(struct cpu_call *c, const struct tconv *t, struct err *err)
{
    struct tconv_plan plan = {&tconv_plain, {.g = t->g, .transposed = true, .groups = 1}};
    struct reference_product *p = &plan.w.p;
    struct requant_spec spec;
    enum status st;

    *p = (struct reference_product){.x = t->input, .w = t->filter, .bias = t->bias, .bias_first = t->bias_first};
    if (t->input->type != TYPE_FLOAT32) {
        spec = tconv_quant_spec(t, c->node->out[0]);
        p->kind = REFERENCE_QUANT;
        p->wide = spec.kind == REQUANT_FIXED_WIDE;
        p->bias_first = false; /* integer sums take it at the end: the same */
        p->x_zero = quant_zero(t->input);
        p->w_zero = quant_zero(t->filter);
        st = tconv_quant_check(t, c->node->out[0], err);
    } else if (t->filter->type != TYPE_FLOAT32) {
        st = hybrid_init(p, t, err);
    } else {
        st = activation_range(t->activation, &p->range, err);
    }
    if (st)
        return st;
    window_plain_init(&plan.w);
    return reference_product_prepare(c, &plan, sizeof plan, p, p->kind == REFERENCE_QUANT ? &spec : NULL, err);
}

static enum status tconv_plain_run(struct cpu_call *c, struct err *err)
{
    struct tconv_plan *plan = c->packed;

    (void)err;
    window_plain_run(c, &plan->w);
    return ST_OK;
}

const struct tconv_impl tconv_plain = {tconv_plain_prepare, tconv_plain_run};
