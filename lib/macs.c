/* SPDX-License-Identifier: Apache-2.0 */
/* macs.c - one formula per family of operators. */
#include "macs.h"

#include <string.h>

static uint64_t elems(const struct tensor *t)
{
    return t ? tensor_elems(t) : 0;
}

/* Dimension i from the front, or from the back for i < 0; 0 where there is none. */
static uint64_t dim(const struct tensor *t, int32_t i)
{
    if (!t)
        return 0;
    if (i < 0)
        i += t->rank;
    return i >= 0 && i < t->rank && t->dim[i] > 0 ? (uint64_t)t->dim[i] : 0;
}

/* Each output element is the product of one filter [kh,kw,c], so groups need no word. Filter [oc,kh,kw,c]. */
static uint64_t conv(const struct node *n)
{
    uint64_t oc = dim(node_in(n, 1), 0);

    return oc ? elems(node_out(n, 0)) * (elems(node_in(n, 1)) / oc) : 0;
}

/* Filter [kd,kh,kw,c,oc]. */
static uint64_t conv_3d(const struct node *n)
{
    uint64_t oc = dim(node_in(n, 1), 4);

    return oc ? elems(node_out(n, 0)) * (elems(node_in(n, 1)) / oc) : 0;
}

/* Filter [1,kh,kw,c]. */
static uint64_t depthwise(const struct node *n)
{
    return elems(node_out(n, 0)) * dim(node_in(n, 1), 1) * dim(node_in(n, 1), 2);
}

/* Each input element meets the whole filter of its channel: input 2, filter [oc,kh,kw,c]. */
static uint64_t transpose_conv(const struct node *n)
{
    uint64_t c = dim(node_in(n, 1), 3);

    return c ? elems(node_in(n, 2)) * (elems(node_in(n, 1)) / c) : 0;
}

static uint64_t transpose_conv_bias(const struct node *n)
{
    uint64_t c = dim(node_in(n, 1), 3);

    return c ? elems(node_in(n, 0)) * (elems(node_in(n, 1)) / c) : 0;
}

/* Filter [units,c]. */
static uint64_t fully_connected(const struct node *n)
{
    return elems(node_out(n, 0)) * dim(node_in(n, 1), 1);
}

static uint64_t batch_matmul(const struct node *n)
{
    const struct opt_batch_matmul *opt = n->opt;

    return elems(node_out(n, 0)) * dim(node_in(n, 0), opt && opt->adj_x ? -2 : -1);
}

/* Recurrent operators: every weight matrix meets every step of every batch; the steps are what the input has beside its last
 * dimension. */
static uint64_t recurrent(const struct node *n)
{
    const struct tensor *x = node_in(n, 0);
    uint64_t steps = dim(x, -1) ? elems(x) / dim(x, -1) : 0, weights = 0;

    for (uint32_t i = 1; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->is_const && n->in[i]->rank == 2)
            weights += elems(n->in[i]);
    return steps * weights;
}

uint64_t node_macs(const struct node *n)
{
    static const struct {
        int32_t builtin;
        uint64_t (*macs)(const struct node *n);
    } rows[] = {
        {BUILTIN_CONV_2D, conv},
        {BUILTIN_CONV_3D, conv_3d},
        {BUILTIN_DEPTHWISE_CONV_2D, depthwise},
        {BUILTIN_TRANSPOSE_CONV, transpose_conv},
        {BUILTIN_FULLY_CONNECTED, fully_connected},
        {BUILTIN_BATCH_MATMUL, batch_matmul},
        {BUILTIN_LSTM, recurrent},
        {BUILTIN_RNN, recurrent},
        {BUILTIN_SVDF, recurrent},
        {BUILTIN_UNIDIRECTIONAL_SEQUENCE_LSTM, recurrent},
        {BUILTIN_UNIDIRECTIONAL_SEQUENCE_RNN, recurrent},
        {BUILTIN_BIDIRECTIONAL_SEQUENCE_LSTM, recurrent},
        {BUILTIN_BIDIRECTIONAL_SEQUENCE_RNN, recurrent},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].builtin == n->builtin)
            return rows[i].macs(n);
    if (n->builtin == BUILTIN_CUSTOM && !strcmp(n->name, "Convolution2DTransposeBias"))
        return transpose_conv_bias(n);
    return 0;
}
