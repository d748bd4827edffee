/* SPDX-License-Identifier: Apache-2.0 */
/* macs.c - one formula per family of operators. */
#include "lib/graph/macs.h"
#include "lib/graph/kernel.h"

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

/* For each element of `at`, as many as the filter, input 1, has for one entry of its dimension `channel`. */
static uint64_t filter_at_each(const struct node *n, const struct tensor *at, int32_t channel)
{
    const struct tensor *filter = node_in(n, 1);
    const uint64_t channels = dim(filter, channel);

    return channels ? elems(at) * (elems(filter) / channels) : 0;
}

uint64_t macs_conv(const struct node *n)
{
    return filter_at_each(n, node_out(n, 0), 0);
}

uint64_t macs_conv_3d(const struct node *n)
{
    return filter_at_each(n, node_out(n, 0), 4);
}

uint64_t macs_depthwise_conv(const struct node *n)
{
    return elems(node_out(n, 0)) * dim(node_in(n, 1), 1) * dim(node_in(n, 1), 2);
}

uint64_t macs_transpose_conv(const struct node *n)
{
    return filter_at_each(n, node_in(n, 2), 3);
}

uint64_t macs_transpose_conv_bias(const struct node *n)
{
    return filter_at_each(n, node_in(n, 0), 3);
}

uint64_t macs_conv_3d_transpose(const struct node *n)
{
    return filter_at_each(n, node_in(n, 2), 4);
}

uint64_t macs_fully_connected(const struct node *n)
{
    return elems(node_out(n, 0)) * dim(node_in(n, 1), 1);
}

uint64_t macs_batch_matmul(const struct node *n)
{
    const struct opt_batch_matmul *opt = n->opt;

    return elems(node_out(n, 0)) * dim(node_in(n, 0), opt && opt->adj_x ? -2 : -1);
}

uint64_t macs_recurrent(const struct node *n)
{
    const struct tensor *x = node_in(n, 0);
    uint64_t steps = dim(x, -1) ? elems(x) / dim(x, -1) : 0, weights = 0;

    for (uint32_t i = 1; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->is_const && n->in[i]->rank == 2)
            weights += elems(n->in[i]);
    return steps * weights;
}

uint64_t macs_unknown(const struct node *n)
{
    (void)n;
    return MACS_UNKNOWN;
}

uint64_t node_macs(const struct node *n)
{
    const uint64_t count = n->op && n->op->cpu->macs ? n->op->cpu->macs(n) : 0;

    return count == MACS_UNKNOWN ? 0 : count;
}

bool node_macs_known(const struct node *n)
{
    if (!n->op || n->dynamic)
        return false;
    if (!n->op->cpu->macs)
        return true;
    if (n->op->cpu->macs == macs_unknown)
        return false;
    /* The formulas answer 0 where they do not find the operands that they multiply. */
    return node_macs(n) || !elems(node_out(n, 0));
}
