/* SPDX-License-Identifier: Apache-2.0 */
/* op_work.c - sums over nodes, without what only goes from one of them to another. */
#include "lib/delegate/op_work.h"

#include <math.h>

#include "lib/graph/macs.h"

static bool among(const struct node *what, const struct node *const *nodes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (nodes[i] == what)
            return true;
    return false;
}

static bool written_by(const struct node *const *nodes, uint32_t n, const struct tensor *t)
{
    for (uint32_t i = 0; i < n; i++)
        if (tensor_is_among(t, nodes[i]->out, nodes[i]->n_out))
            return true;
    return false;
}

/* What nobody reads counts as read outside: it is written all the same. */
static bool stays_within(const struct graph *g, const struct node *const *nodes, uint32_t n, const struct tensor *t)
{
    bool read_within = false;

    if (tensor_is_among(t, g->outputs, g->n_outputs))
        return false;
    for (uint32_t i = 0; i < n; i++)
        read_within |= node_reads(nodes[i], t);
    for (uint32_t i = 0; read_within && i < g->n_nodes; i++)
        if (node_reads(&g->nodes[i], t) && !among(&g->nodes[i], nodes, n))
            return false;
    return read_within;
}

static void add_bytes(struct op_work *w, const struct tensor *t, bool written)
{
    w->bytes_known &= !t->is_dynamic && t->type != TYPE_STRING;
    w->bytes += t->bytes;
    w->written += written ? t->bytes : 0;
}

/* Whether input i of nodes[k] was seen before: in the same node, or in one before it. */
static bool seen_before(const struct node *const *nodes, uint32_t k, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (nodes[k]->in[j] == nodes[k]->in[i])
            return true;
    for (uint32_t j = 0; j < k; j++)
        if (node_reads(nodes[j], nodes[k]->in[i]))
            return true;
    return false;
}

struct op_work op_work_of(const struct graph *g, const struct node *const *nodes, uint32_t n)
{
    struct op_work w = {.macs_known = true, .bytes_known = true};

    for (uint32_t k = 0; k < n; k++) {
        w.macs += node_macs(nodes[k]);
        w.macs_known &= node_macs_known(nodes[k]);
        for (uint32_t i = 0; i < nodes[k]->n_in; i++)
            if (nodes[k]->in[i] && !seen_before(nodes, k, i) && !written_by(nodes, n, nodes[k]->in[i]))
                add_bytes(&w, nodes[k]->in[i], false);
        for (uint32_t i = 0; i < nodes[k]->n_out; i++)
            if (nodes[k]->out[i] && !stays_within(g, nodes, n, nodes[k]->out[i]))
                add_bytes(&w, nodes[k]->out[i], true);
    }
    return w;
}

struct op_work op_work_of_copy(const struct tensor *t)
{
    struct op_work w = {.macs_known = true, .bytes_known = true};

    add_bytes(&w, t, false);
    return w;
}

double op_work_gflops(const struct op_work *w, double us)
{
    return w->macs_known && w->macs && us > 0 ? 2 * (double)w->macs / (1e3 * us) : NAN;
}

double op_work_gbytes(const struct op_work *w, double us)
{
    return w->bytes_known && w->bytes && us > 0 ? (double)w->bytes / (1e3 * us) : NAN;
}

static double moving_ns(const struct op_work *w, const struct device_peak *peak)
{
    const double read = 1 / fmax(peak->gbytes, peak->read_gbytes), written = fmax(2 / peak->gbytes - read, 0);

    return read * (double)(w->bytes - w->written) + written * (double)w->written;
}

double op_work_least_us(const struct op_work *w, const struct device_peak *peak, bool halves)
{
    const double gflops = halves && peak->half_gflops > 0 ? peak->half_gflops : peak->gflops;
    const double computing = w->macs_known && gflops > 0 ? 2 * (double)w->macs / (gflops * 1e3) : NAN;
    const double moving = w->bytes_known && peak->gbytes > 0 ? moving_ns(w, peak) / 1e3 : NAN;

    return fmax(computing, moving);
}
