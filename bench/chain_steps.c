/* SPDX-License-Identifier: Apache-2.0 */
/* chain_steps.c - see chain_steps.h */
#include "chain_steps.h"

#include <math.h>
#include <stdlib.h>

static double scale_of(const struct tensor *t)
{
    return t->quant.n ? (double)t->quant.scale[0] : 0;
}

static bool same_steps(const struct tensor *a, const struct tensor *b)
{
    return scale_of(a) == scale_of(b) && a->quant.n && b->quant.n && a->quant.zero_point[0] == b->quant.zero_point[0];
}

/* The largest magnitude that its type and steps can hold. */
static double range_of(const struct tensor *t)
{
    const double lo = t->type == TYPE_INT8    ? INT8_MIN
                      : t->type == TYPE_INT16 ? INT16_MIN
                                              : 0,
                 hi = t->type == TYPE_INT8    ? INT8_MAX
                      : t->type == TYPE_INT16 ? INT16_MAX
                                              : UINT8_MAX,
                 zero = (double)t->quant.zero_point[0];

    return scale_of(t) * fmax(zero - lo, hi - zero);
}

/* Of all channels, which are dimension 0 or the last one, the largest sum of the filter's magnitudes. */
static double filter_gain(const struct tensor *w, bool last, double *sums)
{
    const size_t n = tensor_elems(w), channels = (size_t)w->dim[last ? w->rank - 1 : 0];
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        const size_t c = last ? i % channels : i / (n / channels), q = w->quant.n > 1 ? c : 0;

        sums[c] += (double)w->quant.scale[q] * fabs((double)(tensor_int(w, i) - w->quant.zero_point[q]));
        most = fmax(most, sums[c]);
    }
    return most;
}

static enum status convolution(const struct node *n, double x, double *y, struct err *err)
{
    const struct tensor *w = n->in[1];
    double *sums = calloc(tensor_elems(w) + 1, sizeof *sums);

    if (!sums)
        return err_set(err, ST_NOMEM, "out of memory");
    *y = x * filter_gain(w, n->builtin == BUILTIN_DEPTHWISE_CONV_2D, sums);
    free(sums);
    return ST_OK;
}

/* What an operator makes of what its inputs are off: so many times the largest of it, or something of its own. What is there
 * already, or the largest of it, is not rounded where the steps stay the same: it only moves. */
static const struct rule {
    int32_t builtin;
    double times;
    bool moves;
} rules[] = {
    {BUILTIN_ADD, 0, false},
    {BUILTIN_SUB, 0, false},
    {BUILTIN_MUL, 0, false},
    {BUILTIN_CONV_2D, 0, false},
    {BUILTIN_DEPTHWISE_CONV_2D, 0, false},
    {BUILTIN_LOGISTIC, .25, false},
    {BUILTIN_HARD_SWISH, 1.5, false}, /* its slope at 3 */
    {BUILTIN_RELU, 1, false},
    {BUILTIN_RELU6, 1, false},
    {BUILTIN_TANH, 1, false},
    {BUILTIN_ABS, 1, false},
    {BUILTIN_AVERAGE_POOL_2D, 1, false},
    {BUILTIN_RESIZE_BILINEAR, 1, false},
    {BUILTIN_MAX_POOL_2D, 1, true},
    {BUILTIN_MAXIMUM, 1, true},
    {BUILTIN_MINIMUM, 1, true},
    {BUILTIN_CONCATENATION, 1, true},
    {BUILTIN_SPLIT, 1, true},
    {BUILTIN_PAD, 1, true},
    {BUILTIN_PADV2, 1, true},
    {BUILTIN_RESHAPE, 1, true},
    {BUILTIN_TRANSPOSE, 1, true},
};

static const struct rule *rule_of(const struct node *n)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].builtin == n->builtin)
            return &rules[i];
    return NULL;
}

static enum status carried(const struct node *n, const struct rule *r, const double *off, double *y, struct err *err)
{
    double x[2] = {0}, most = 0;

    for (uint32_t i = 0; i < n->n_in; i++) {
        const double real = n->in[i]->quant.n ? off[n->in[i]->index] * scale_of(n->in[i]) : 0;

        most = fmax(most, real);
        if (i < 2)
            x[i] = real;
    }
    *y = most * r->times;
    switch (n->builtin) {
    case BUILTIN_ADD:
    case BUILTIN_SUB: *y = x[0] + x[1]; return ST_OK;
    case BUILTIN_MUL: *y = x[0] * range_of(n->in[1]) + x[1] * range_of(n->in[0]) + x[0] * x[1]; return ST_OK;
    case BUILTIN_CONV_2D:
    case BUILTIN_DEPTHWISE_CONV_2D: return convolution(n, x[0], y, err);
    default: return ST_OK;
    }
}

static bool keeps_steps(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i]->quant.n && !same_steps(n->in[i], n->out[0]))
            return false;
    return true;
}

enum status chain_steps(const struct graph *g, double own, double *off, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < g->n_tensors; i++)
        off[i] = 0;
    for (uint32_t i = 0; i < g->n_nodes && !st; i++) {
        const struct node *n = &g->nodes[i];
        const struct rule *r = rule_of(n);
        double real;

        if (n->folded)
            continue;
        if (!r)
            return err_set(err, ST_UNSUPPORTED, "no rule for what %s makes of an error", n->name);
        st = carried(n, r, off, &real, err);
        for (uint32_t k = 0; k < n->n_out && !st; k++)
            off[n->out[k]->index] = real / scale_of(n->out[k]) + (r->moves && keeps_steps(n) ? 0 : own);
    }
    return st;
}
