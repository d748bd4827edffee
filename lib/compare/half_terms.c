/* SPDX-License-Identifier: Apache-2.0 */
/* half_terms.c - a node re-run on its operands, on their absolute values, and on their values rounded to half precision. */
#include "lib/compare/half_terms.h"
#include "lib/compare/node_rerun.h"
#include "lib/graph/half_store.h"

#include <math.h>
#include <string.h>

#define NO_ACTIVATION SIZE_MAX
#define ROW(op, type)                                                                                                              \
    {                                                                                                                              \
        BUILTIN_##op, sizeof(struct type), offsetof(struct type, activation), absolute                                             \
    }

static void absolute(const struct tensor *t, uint32_t i, float *f, size_t n)
{
    (void)t, (void)i;
    for (size_t k = 0; k < n; k++)
        f[k] = fabsf(f[k]);
}

/* Operand 1 is a term with its sign turned. */
static void subtracted(const struct tensor *t, uint32_t i, float *f, size_t n)
{
    (void)t;
    for (size_t k = 0; k < n; k++)
        f[k] = i == 1 ? -fabsf(f[k]) : fabsf(f[k]);
}

/* Operators whose result is a sum over products or elements. */
static const struct summing {
    int32_t builtin;
    size_t opt_bytes, activation; /* size of the options; where the fused activation is in them */
    node_rerun_change terms;      /* makes all terms positive */
} summings[] = {
    ROW(CONV_2D, opt_conv_2d),
    ROW(DEPTHWISE_CONV_2D, opt_depthwise_conv_2d),
    ROW(TRANSPOSE_CONV, opt_transpose_conv),
    ROW(FULLY_CONNECTED, opt_fully_connected),
    ROW(AVERAGE_POOL_2D, opt_pool_2d),
    ROW(ADD, opt_add),
    {BUILTIN_SUB, sizeof(struct opt_sub), offsetof(struct opt_sub, activation), subtracted},
    {BUILTIN_BATCH_MATMUL, sizeof(struct opt_batch_matmul), NO_ACTIVATION, absolute},
    {BUILTIN_SUM, sizeof(struct opt_reducer), NO_ACTIVATION, absolute},
    {BUILTIN_MEAN, sizeof(struct opt_reducer), NO_ACTIVATION, absolute},
};

/* The options of any of them. */
union options {
    struct opt_conv_2d conv;
    struct opt_depthwise_conv_2d depthwise;
    struct opt_transpose_conv transposed;
    struct opt_fully_connected full;
    struct opt_pool_2d pool;
    struct opt_add add;
    struct opt_sub sub;
    struct opt_batch_matmul matrices;
    struct opt_reducer reducer;
};

static const struct summing *find(const struct node *n)
{
    for (size_t i = 0; i < sizeof summings / sizeof *summings; i++)
        if (summings[i].builtin == n->builtin)
            return &summings[i];
    return NULL;
}

bool half_terms_known(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->type != TYPE_FLOAT32 && n->in[i]->type != TYPE_INT32)
            return false;
    return n->n_out == 1 && n->out[0] && n->out[0]->type == TYPE_FLOAT32 && find(n) && node_rerun_possible(n);
}

static enum status largest(const struct node *n, const struct summing *s, node_rerun_change change, struct threads *threads,
                           double *max, struct err *err)
{
    union options opt;
    struct node_rerun b;
    enum status st;

    memcpy(&opt, n->opt, s->opt_bytes);
    if (s->activation != NO_ACTIVATION)
        memcpy((char *)&opt + s->activation, &(enum activation){ACT_NONE}, sizeof(enum activation));
    *max = 0;
    if (!(st = node_rerun_init(&b, n, &opt, change, err)) && !(st = node_rerun_run(&b, threads, true, err)))
        for (size_t i = 0; i < tensor_elems(b.out); i++) {
            const double v = fabs((double)((const float *)b.out->data)[i]);

            *max = v > *max || isnan(v) ? v : *max;
        }
    node_rerun_free(&b);
    return st;
}

enum status half_terms(const struct node *n, struct threads *threads, double *sum, double *terms, struct err *err)
{
    const struct summing *s = find(n);
    enum status st = largest(n, s, NULL, threads, sum, err);

    return st ? st : largest(n, s, s->terms, threads, terms, err);
}

static void rounded(const struct tensor *t, uint32_t i, float *f, size_t n)
{
    (void)i;
    if (!t->stays_float32)
        half_store_floats(f, n);
}

static double distance(const float *whole, const float *half, size_t n)
{
    double most = 0, max = 0;

    for (size_t i = 0; i < n; i++) {
        const double d = fabs((double)whole[i] - (double)half[i]);

        if (isfinite(whole[i]) != isfinite(half[i]))
            return INFINITY;
        most = isfinite(whole[i]) && d > most ? d : most;
        max = isfinite(whole[i]) && fabs((double)whole[i]) > max ? fabs((double)whole[i]) : max;
    }
    return max > 0 ? most / max : most > 0 ? INFINITY : 0;
}

enum status half_own_error(const struct node *n, struct threads *threads, double *error, struct err *err)
{
    struct node_rerun b;
    enum status st;

    *error = 0;
    if (!node_rerun_possible(n))
        return ST_OK;
    if (!(st = node_rerun_init(&b, n, NULL, rounded, err)) && !(st = node_rerun_run(&b, threads, false, err))) {
        half_store_node(&b.node);
        for (uint32_t i = 0; i < n->n_out; i++)
            if (n->out[i] && n->out[i]->type == TYPE_FLOAT32)
                *error = fmax(*error, distance(n->out[i]->data, b.out[i].data, tensor_elems(n->out[i])));
    }
    node_rerun_free(&b);
    return st;
}
