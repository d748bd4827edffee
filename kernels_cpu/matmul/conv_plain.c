/* SPDX-License-Identifier: Apache-2.0 */
/* conv_plain.c - CONV_2D's reference kernel: its definition, for all types. */
#include "kernels_cpu/matmul/conv.h"
#include "kernels_cpu/matmul/window_plain.h"

static enum status conv_plain_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    const struct node *n = c->node;
    const struct tensor *x = n->in[CONV_INPUT], *filter = n->in[CONV_FILTER];
    struct window_plain w = {.g = *g, .groups = (size_t)(g->ic / filter->dim[3])};
    struct reference_product *p = &w.p;
    const bool quant = x->type != TYPE_FLOAT32;
    struct requant_spec spec;
    enum status st = ST_OK;

    *p = (struct reference_product){.x = x, .w = filter, .bias = node_in(n, CONV_BIAS)};
    if (quant) {
        spec = conv_quant_spec(n);
        st = conv_quant_check(n, 0, err);
    } else if (filter->type != TYPE_FLOAT32) {
        st = conv_hybrid_check(n, w.groups, &p->asymmetric, err);
        p->kind = REFERENCE_HYBRID;
        p->channel_first = p->asymmetric;
    }
    return st ? st : window_plain_prepare(c, &w, quant ? &spec : NULL, ((const struct opt_conv_2d *)n->opt)->activation, err);
}

const struct conv_impl conv_plain = {conv_plain_prepare, window_plain_compute};
