/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected_plain.c - FULLY_CONNECTED's reference kernel: a matrix product, for all types but blockwise weights. */
#include <math.h>

#include "kernels_cpu/matmul/fully_connected.h"
#include "kernels_cpu/matmul/matrix_plain.h"
#include "kernels_cpu/quant/hybrid.h"
#include "kernels_cpu/quant/widen.h"

static enum status hybrid_init(struct reference_product *p, const struct node *n, struct err *err)
{
    const struct opt_fully_connected *o = n->opt;
    const struct tensor as_read = hybrid_filter(p->w);

    p->kind = REFERENCE_HYBRID;
    p->asymmetric = o->asymmetric_quantize_inputs;
    p->range = (struct range_f32){-INFINITY, INFINITY};
    p->activation = o->activation;
    return quant_check_filter(&as_read, 0, err);
}

static enum status fc_plain_prepare(struct cpu_call *c, struct fc_shape s, struct err *err)
{
    const struct node *n = c->node;
    const struct opt_fully_connected *o = n->opt;
    const struct tensor *x = n->in[FC_INPUT], *filter = n->in[FC_FILTER];
    struct matrix_plain m = {.depth = s.depth};
    struct reference_product *p = &m.p;
    struct requant_spec spec;
    enum status st;

    *p = (struct reference_product){
        .x = x, .w = filter, .bias = node_in(n, FC_BIAS), .channels = s.units, .lines = s.batch, .pieces = s.batch};
    if (x->type != TYPE_FLOAT32) {
        spec = fc_quant_spec(n, s);
        p->kind = REFERENCE_QUANT;
        p->wide = fc_quant_is_wide(n);
        p->x_zero = quant_zero(x);
        p->w_zero = quant_zero(filter);
        st = fc_quant_check(n, err);
    } else if (filter->type != TYPE_FLOAT32) {
        st = hybrid_init(p, n, err);
    } else {
        p->w_turn = (struct reference_product_turn){1, s.units, s.depth};
        st = activation_range(o->activation, &p->range, err);
    }
    return st ? st : reference_product_prepare(c, &m, sizeof m, p, p->kind == REFERENCE_QUANT ? &spec : NULL, err);
}

const struct fc_impl fc_plain = {fc_plain_prepare, matrix_plain_compute};
