/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul_plain.c - BATCH_MATMUL's reference kernel: matrix products, for all types. */
#include <math.h>

#include "kernels_cpu/matmul/batch_matmul.h"
#include "kernels_cpu/matmul/matrix_plain.h"

struct bmm_plan {
    struct matrix_plain m; /* first: matrix_plain_compute */
    struct bmm_shape s;
};

static void operands(const void *arg, size_t row, size_t *x, size_t *w)
{
    const struct bmm_shape *s = arg;

    bmm_operands(s, row / s->m, x, w);
    *x = *x * s->m + row % s->m;
}

static enum status hybrid_init(struct reference_product *p, const struct node *n, const struct bmm_shape *s, struct err *err)
{
    const struct opt_batch_matmul *o = n->opt;

    p->kind = REFERENCE_HYBRID;
    p->asymmetric = o->asymmetric_quantize_inputs;
    return bmm_hybrid_check(n, s, err);
}

static enum status quant_init(struct reference_product *p, const struct node *n, struct err *err)
{
    if (n->out[0]->type == TYPE_INT32) {
        p->kind = REFERENCE_SUMS; /* plain products: zero points do not count */
        return ST_OK;
    }
    p->kind = REFERENCE_QUANT;
    p->wide = p->x->type == TYPE_INT16;
    p->x_zero = quant_zero(p->x);
    p->w_zero = quant_zero(p->w);
    return bmm_quant_check(n, err);
}

static enum status bmm_plain_prepare(struct cpu_call *c, const struct bmm_shape *s, struct err *err)
{
    const struct node *n = c->node;
    const struct tensor *x = n->in[0], *w = n->in[1];
    struct bmm_plan plan = {{.depth = s->k, .operands = operands}, *s};
    struct reference_product *p = &plan.m.p;
    struct requant_spec spec = bmm_quant_spec(n, s);
    enum status st = ST_OK;

    *p = (struct reference_product){.x = x,
                                    .w = w,
                                    .range = {-INFINITY, INFINITY},
                                    .channels = s->n,
                                    .lines = s->batches * s->m,
                                    .pieces = s->x_batches * s->m};
    if (x->type != TYPE_FLOAT32)
        st = quant_init(p, n, err);
    else if (w->type != TYPE_FLOAT32)
        st = hybrid_init(p, n, s, err);
    if (st)
        return st;
    if (s->adj_x)
        p->x_turn = (struct reference_product_turn){s->x_batches, s->k, s->m};
    if (s->adj_y == reference_product_is_across(p)) /* stored [n][k] and wanted [k][n], or the other way round */
        p->w_turn = s->adj_y ? (struct reference_product_turn){s->w_batches, s->n, s->k}
                             : (struct reference_product_turn){s->w_batches, s->k, s->n};
    return reference_product_prepare(c, &plan, sizeof plan, p, p->kind == REFERENCE_QUANT ? &spec : NULL, err);
}

static void bmm_plain_run(struct cpu_call *c)
{
    struct bmm_plan *plan = c->packed;

    plan->m.arg = &plan->s;
    matrix_plain_compute(c);
}

const struct bmm_impl bmm_plain = {bmm_plain_prepare, bmm_plain_run};
