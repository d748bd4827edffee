/* SPDX-License-Identifier: Apache-2.0 */
/* half_check.c - counts of values that half precision cannot hold. */
#include "lib/compare/half_check.h"
#include "lib/compare/half_terms.h"

#include <math.h>

void half_count(struct half_counts *c, const float *f, size_t n)
{
    c->values += n;
    for (size_t i = 0; i < n; i++) {
        const float a = fabsf(f[i]), h = half_to_float(half_from_float(a));

        if (!isfinite(a)) {
            c->not_finite++;
            continue;
        }
        c->max_abs = (double)a > c->max_abs ? (double)a : c->max_abs;
        c->beyond += isinf(h) != 0;
        c->vanishing += a > 0 && h == 0;
        c->subnormal += h > 0 && a < 0x1p-14f;
    }
}

static void add_node(struct half_check *h, const struct node *n)
{
    struct half_row *first = NULL;

    for (uint32_t i = 0; i < n->n_out; i++) {
        struct half_row *r = &h->rows[h->n];

        if (!n->out[i])
            continue;
        *r = (struct half_row){.node = n, .tensor = n->out[i], .quantized = tensor_is_quantized(n->out[i])};
        first = first ? first : r;
        h->n++;
    }
    for (uint32_t i = 0; first && i < n->n_in; i++) {
        const struct tensor *t = n->in[i];

        if (t && t->is_const && t->data && t->type == TYPE_FLOAT32 && !t->sparsity && !t->stays_float32)
            half_count(&first->constants, t->data, tensor_elems(t));
    }
}

enum status half_check_init(struct half_check *h, const struct session *s, struct err *err)
{
    const struct graph *g = session_graph(s);
    size_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += g->nodes[i].folded ? 0 : g->nodes[i].n_out;
    h->rows = ARENA_ARRAY(&h->arena, n, struct half_row);
    h->inputs = ARENA_ARRAY(&h->arena, g->n_inputs, struct half_counts);
    if (!h->rows || !h->inputs)
        return err_set(err, ST_NOMEM, "out of memory for looking at %zu tensors", n);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!g->nodes[i].folded)
            add_node(h, &g->nodes[i]);
    h->session = s;
    return threads_new(1, &h->threads, err);
}

void half_check_free(struct half_check *h)
{
    threads_free(h->threads);
    arena_free(&h->arena);
    *h = (struct half_check){0};
}

#define COUNT_LIMITS(type, lo, hi)                                                                                                 \
    for (size_t i = 0; i < n; i++) {                                                                                               \
        r->at_low += ((const type *)r->tensor->data)[i] == (lo);                                                                   \
        r->at_high += ((const type *)r->tensor->data)[i] == (hi);                                                                  \
    }

static void count_limits(struct half_row *r)
{
    const size_t n = tensor_elems(r->tensor);

    r->elems += n;
    if (r->tensor->type == TYPE_INT8)
        COUNT_LIMITS(int8_t, INT8_MIN, INT8_MAX)
    else if (r->tensor->type == TYPE_UINT8)
        COUNT_LIMITS(uint8_t, 0, UINT8_MAX)
    else
        COUNT_LIMITS(int16_t, INT16_MIN, INT16_MAX)
}

static void look_at_terms(struct half_check *h, struct half_row *r)
{
    double sum, terms, error;

    if (h->status || (h->status = half_own_error(r->node, h->threads, &error, &h->err)))
        return;
    r->own_error = error > r->own_error ? error : r->own_error;
    if (!half_terms_known(r->node) || (h->status = half_terms(r->node, h->threads, &sum, &terms, &h->err)))
        return;
    r->max_sum = sum > r->max_sum ? sum : r->max_sum;
    r->max_terms = terms > r->max_terms ? terms : r->max_terms;
}

void half_check_node(void *arg, const struct session *s, const struct node *n)
{
    struct half_check *h = arg;

    for (uint32_t i = 0; s == h->session && i < h->n; i++) {
        struct half_row *r = &h->rows[i];

        if (r->node != n || !r->tensor->data)
            continue;
        if (r->tensor->type == TYPE_FLOAT32 && !r->tensor->stays_float32)
            half_count(&r->out, r->tensor->data, tensor_elems(r->tensor));
        else if (r->quantized)
            count_limits(r);
        if (r == h->rows || r[-1].node != n)
            look_at_terms(h, r);
    }
}

void half_check_inputs(struct half_check *h)
{
    for (uint32_t i = 0; i < session_n_inputs(h->session); i++) {
        const struct tensor *t = session_input(h->session, i);

        if (t && t->type == TYPE_FLOAT32 && t->data && !t->stays_float32)
            half_count(&h->inputs[i], t->data, tensor_elems(t));
    }
}

static bool many_small(const struct half_counts *c)
{
    return (c->subnormal + c->vanishing) * 100 > c->values;
}

/* The least value is where RELU cuts if the zero point lies there, which is as it should be. */
static bool is_saturated(const struct half_row *r)
{
    const int64_t least = r->tensor->type == TYPE_INT8 ? INT8_MIN : r->tensor->type == TYPE_UINT8 ? 0 : INT16_MIN;

    return r->at_high || (r->at_low && r->tensor->quant.zero_point[0] != least);
}

unsigned half_findings(const struct half_row *r)
{
    const bool sums = r->max_sum > 0 && isfinite(r->max_sum) && isfinite(r->max_terms);

    return (r->out.beyond ? HALF_BEYOND : 0u) | (many_small(&r->out) ? HALF_SMALL : 0u) |
           (sums && r->max_terms >= HALF_CANCELS * r->max_sum ? HALF_CANCELLING : 0u) |
           (r->constants.beyond ? HALF_CONSTANT_BEYOND : 0u) | (r->constants.vanishing ? HALF_CONSTANT_VANISHES : 0u) |
           (r->quantized && is_saturated(r) ? HALF_SATURATED : 0u);
}
