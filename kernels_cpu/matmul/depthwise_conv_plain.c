/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_conv_plain.c - DEPTHWISE_CONV_2D's reference kernel: its definition, for all types. */
#include "kernels_cpu/matmul/depthwise_conv.h"
#include "kernels_cpu/matmul/products_plain.h"
#include "kernels_cpu/matmul/window_plain.h"
#include "kernels_cpu/quant/widen.h"

static void add(const struct cpu_call *c, const struct window_plain *w, const struct window_run *r, void *sums)
{
    const size_t ic = (size_t)w->g.ic, multiplier = (size_t)w->g.oc / ic;
    const float *x = (const float *)reference_product_x(c, &w->p) + r->pixel * ic;
    const float *f = (const float *)reference_product_w(c, &w->p) + r->window * ic * multiplier;
    const int16_t *xi = (const int16_t *)reference_product_x(c, &w->p) + r->pixel * ic;
    const int16_t *fi = (const int16_t *)reference_product_w(c, &w->p) + r->window * ic * multiplier;

    if (w->p.doubles)
        products_by_channel_f64(x, f, r->count, ic, multiplier, sums);
    else if (w->p.kind == REFERENCE_F32)
        products_by_channel_f32(x, f, r->count, ic, multiplier, sums);
    else if (w->p.wide)
        products_by_channel_i64(xi, fi, r->count, ic, multiplier, sums);
    else
        products_by_channel_i32(xi, fi, r->count, ic, multiplier, sums);
}

static enum status dw_plain_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    const struct node *n = c->node;
    const struct tensor *x = n->in[CONV_INPUT], *filter = n->in[CONV_FILTER];
    /* The filter [kh, kw, oc] already has its channels side by side. */
    struct window_plain w = {.g = *g, .groups = 1, .add = add};
    struct reference_product *p = &w.p;
    const bool quant = x->type != TYPE_FLOAT32;
    struct requant_spec spec;
    enum status st = ST_OK;

    *p = (struct reference_product){.x = x, .w = filter, .bias = node_in(n, CONV_BIAS)};
    if (quant) {
        spec = dw_quant_spec(n);
        st = conv_quant_check(n, 3, err);
    } else if (filter->type != TYPE_FLOAT32) {
        p->kind = REFERENCE_HYBRID;
        p->asymmetric = true;
        st = quant_check_filter(filter, 3, err);
    }
    return st ? st
              : window_plain_prepare(c, &w, quant ? &spec : NULL, ((const struct opt_depthwise_conv_2d *)n->opt)->activation, err);
}

const struct conv_impl dw_plain = {dw_plain_prepare, window_plain_compute};
