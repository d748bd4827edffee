/* SPDX-License-Identifier: Apache-2.0 */
/* conv_plain.c - CONV_2D's reference kernel: its definition, for all types. */
#include "kernels_cpu/matmul/conv.h"
#include "kernels_cpu/matmul/window_plain.h"

struct conv_plan {
    const struct conv_impl *impl;
    struct window_plain w;
};

static enum status hybrid_init(struct reference_product *p, const struct node *n, size_t groups, struct err *err)
{
    const struct opt_conv_2d *o = n->opt;
    bool per_channel;
    enum status st = conv_hybrid_check(n, groups, &per_channel, err);

    if (st)
        return st;
    p->kind = REFERENCE_HYBRID;
    p->asymmetric = per_channel;
    p->channel_first = per_channel;
    return activation_range(o->activation, &p->range, err);
}

static enum status conv_plain_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    const struct node *n = c->node;
    const struct opt_conv_2d *o = n->opt;
    const struct tensor *x = n->in[CONV_INPUT], *filter = n->in[CONV_FILTER];
    struct conv_plan plan = {&conv_plain, {.g = *g, .groups = (size_t)(g->ic / filter->dim[3])}};
    struct reference_product *p = &plan.w.p;
    struct requant_spec spec;
    enum status st;

    *p = (struct reference_product){.x = x, .w = filter, .bias = node_in(n, CONV_BIAS)};
    if (x->type != TYPE_FLOAT32) {
        spec = conv_quant_spec(n);
        p->kind = REFERENCE_QUANT;
        p->wide = spec.kind == REQUANT_FIXED_WIDE;
        p->x_zero = quant_zero(x);
        p->w_zero = quant_zero(filter);
        st = conv_quant_check(n, 0, err);
    } else if (filter->type != TYPE_FLOAT32) {
        st = hybrid_init(p, n, plan.w.groups, err);
    } else {
        st = activation_range(o->activation, &p->range, err);
    }
    if (st)
        return st;
    window_plain_init(&plan.w);
    return reference_product_prepare(c, &plan, sizeof plan, p, p->kind == REFERENCE_QUANT ? &spec : NULL, err);
}

static enum status conv_plain_run(struct cpu_call *c, struct err *err)
{
    struct conv_plan *plan = c->packed;

    (void)err;
    window_plain_run(c, &plan->w);
    return ST_OK;
}

const struct conv_impl conv_plain = {conv_plain_prepare, conv_plain_run};
