/* SPDX-License-Identifier: Apache-2.0 */
/* cost_advice.c - the warnings of GPU performance guides, looked for in one model, with its numbers. */
#include "lib/coverage/cost_impl.h"

const char *advice_name(enum advice_code code)
{
    static const char *const names[ADVICE_COUNT] = {
        [ADVICE_MOVES_DATA] = "MOVES_DATA",
        [ADVICE_CHANNEL_LANES] = "CHANNEL_LANES",
        [ADVICE_THREE_CHANNEL_INPUT] = "THREE_CHANNEL_INPUT",
        [ADVICE_TINY_MODEL] = "TINY_MODEL",
        [ADVICE_PARTITION_COSTS_MORE] = "PARTITION_COSTS_MORE",
        [ADVICE_MANY_PARTITIONS] = "MANY_PARTITIONS",
    };

    return names[code];
}

/* Operators that put elements elsewhere and compute nothing, and what is done instead. */
static const struct mover {
    int32_t builtin;
    const char *instead;
} movers[] = {
    {BUILTIN_SPACE_TO_BATCH_ND, "a convolution with dilation needs none"},
    {BUILTIN_BATCH_TO_SPACE_ND, "a convolution with dilation needs none"},
    {BUILTIN_SPACE_TO_DEPTH, "a convolution with that stride takes its place"},
    {BUILTIN_DEPTH_TO_SPACE, "TRANSPOSE_CONV or RESIZE_BILINEAR may take its place"},
    {BUILTIN_TRANSPOSE, "another order of the channels in training needs none"},
    {BUILTIN_GATHER, "a slice, where the indices follow one another"},
    {BUILTIN_GATHER_ND, "a slice, where the indices follow one another"},
    {BUILTIN_TILE, "arithmetic that broadcasts needs none"},
};

/* Those whose arithmetic reads whole channels of an input, and which one that is; of others the channels of the output count. */
static const struct mixer {
    int32_t builtin;
    uint32_t input;
} mixers[] = {
    {BUILTIN_CONV_2D, 0},
    {BUILTIN_TRANSPOSE_CONV, 2},
    {BUILTIN_FULLY_CONNECTED, 0},
};

struct advising {
    const struct coverage *c;
    const struct cost_terms *terms;
    struct arena *a;
    struct cost *out;
    uint32_t *nodes; /* [n_verdicts] of the advice that is being made */
    uint32_t n_nodes;
};

/* Takes over the nodes gathered so far; the text must not be NULL but where memory ran out. */
static enum status give(struct advising *w, enum advice_code code, const char *text, struct err *err)
{
    uint32_t *nodes = ARENA_ARRAY(w->a, w->n_nodes, uint32_t);

    if (!text || !nodes)
        return err_set(err, ST_NOMEM, "out of memory for advice");
    for (uint32_t i = 0; i < w->n_nodes; i++)
        nodes[i] = w->nodes[i];
    w->out->advice[w->out->n_advice++] = (struct advice){.code = code, .nodes = nodes, .n_nodes = w->n_nodes, .text = text};
    w->n_nodes = 0;
    return ST_OK;
}

static double percent_of(double part, double all)
{
    return all > 0 ? 100 * part / all : 0;
}

static enum status look_for_movers(struct advising *w, struct err *err)
{
    enum status st = ST_OK;

    for (size_t m = 0; m < sizeof movers / sizeof *movers && !st; m++) {
        double bytes = 0;
        const char *name = "";

        for (uint32_t i = 0; i < w->c->n_verdicts; i++) {
            const struct verdict *v = &w->c->verdicts[i];
            uint64_t own = 0;

            if (!v->covered || v->node->builtin != movers[m].builtin)
                continue;
            cost_node_bytes(w->c, v, &own);
            bytes += (double)own;
            name = v->node->name;
            w->nodes[w->n_nodes++] = v->node->index;
        }
        if (w->n_nodes)
            st = give(w, ADVICE_MOVES_DATA,
                      arena_printf(w->a,
                                   "%s, %u of the nodes, computes nothing and moves %.0f bytes, %.1f%% of all: cheap on a CPU, "
                                   "a pass over memory on a GPU; %s",
                                   name, w->n_nodes, bytes, percent_of(bytes, w->out->bytes.all), movers[m].instead),
                      err);
    }
    return st;
}

/* ---- lanes ---- */

static int32_t channels(const struct tensor *t)
{
    return t && t->rank >= 2 && t->dim[t->rank - 1] > 0 ? t->dim[t->rank - 1] : 4;
}

/* How many times as much it is with channels rounded up to whole vectors of four. */
static double widened(const struct tensor *t)
{
    const int64_t n = channels(t), whole = (n + 3) / 4 * 4;

    return (double)whole / (double)n;
}

static double widened_macs(const struct node *n)
{
    double times = widened(node_out(n, 0));

    for (size_t i = 0; i < sizeof mixers / sizeof *mixers; i++)
        if (mixers[i].builtin == n->builtin)
            times *= widened(node_in(n, mixers[i].input));
    return times;
}

/* What the lanes of all covered nodes cost, and the one with most bytes wasted. */
struct lanes {
    double macs, bytes, all_bytes; /* more than asked for; of all results */
    const struct tensor *worst;    /* with such channels; NULL: none has */
    double worst_bytes;
    uint32_t at; /* the node */
};

static void add_lanes(struct lanes *l, const struct verdict *v, bool *wastes)
{
    const struct tensor *y = node_out(v->node, 0), *x = node_in(v->node, 0);
    const double lost = (widened(y) - 1) * (y ? (double)y->bytes : 0), macs = (widened_macs(v->node) - 1) * (double)v->macs;

    l->all_bytes += y ? (double)y->bytes : 0;
    l->bytes += lost;
    l->macs += macs;
    *wastes = lost > 0 || macs > 0;
    if (!*wastes || (l->worst && lost <= l->worst_bytes))
        return;
    l->worst = lost > 0 ? y : widened(x) > 1 ? x : NULL;
    l->worst_bytes = lost;
    l->at = v->node->index;
}

static enum status look_at_lanes(struct advising *w, struct err *err)
{
    struct lanes l = {0};
    char shape[64], wide[64];
    int32_t dim[TENSOR_MAX_RANK];
    double macs, bytes;

    for (uint32_t i = 0; i < w->c->n_verdicts; i++) {
        bool wastes = false;

        if (w->c->verdicts[i].covered)
            add_lanes(&l, &w->c->verdicts[i], &wastes);
        if (wastes)
            w->nodes[w->n_nodes++] = w->c->verdicts[i].node->index;
    }
    macs = percent_of(l.macs, w->out->macs.covered);
    bytes = percent_of(l.bytes, l.all_bytes);
    if (!l.worst || (macs < 1 && bytes < 1)) {
        w->n_nodes = 0;
        return ST_OK;
    }
    memcpy(dim, l.worst->dim, sizeof dim);
    dim[l.worst->rank - 1] = (dim[l.worst->rank - 1] + 3) / 4 * 4;
    return give(w, ADVICE_CHANNEL_LANES,
                arena_printf(w->a,
                             "channels are stored four by four, so %u of the nodes waste lanes: %.1f%% more multiply-accumulates "
                             "and %.1f%% more bytes of results than the model asks for; at node %u %s costs as %s",
                             w->n_nodes, macs, bytes, l.at, shape_text(l.worst->dim, l.worst->rank, shape, sizeof shape),
                             shape_text(dim, l.worst->rank, wide, sizeof wide)),
                err);
}

/* ---- inputs ---- */

static enum status look_at_inputs(struct advising *w, struct err *err)
{
    const struct graph *g = w->c->graphs[0];
    enum status st = ST_OK;

    for (uint32_t k = 0; k < g->n_inputs && !st; k++) {
        const struct tensor *t = g->inputs[k];
        char shape[64];

        if (t->rank != 4 || t->dim[3] != 3)
            continue;
        for (uint32_t i = 0; i < w->c->n_verdicts; i++)
            if (w->c->verdicts[i].covered && node_reads(w->c->verdicts[i].node, t))
                w->nodes[w->n_nodes++] = w->c->verdicts[i].node->index;
        if (w->n_nodes)
            st = give(w, ADVICE_THREE_CHANNEL_INPUT,
                      arena_printf(w->a,
                                   "input %u %s has 3 channels: each run repacks its %zu bytes to 4, %zu bytes; an input of 4 "
                                   "channels, a filter of zeros for the last, needs no repacking",
                                   k, shape_text(t->dim, t->rank, shape, sizeof shape), t->bytes, t->bytes / 3 * 4),
                      err);
    }
    return st;
}

/* ---- what it brings ---- */

static const char *source(bool measured)
{
    return measured ? "measured" : "estimated";
}

static enum status look_at_gain(struct advising *w, struct err *err)
{
    const struct cost *k = w->out;
    enum status st = ST_OK;

    if (!w->c->parts.n_cpu && k->n_parts && k->cpu_us <= k->cross_us)
        return give(
            w, ADVICE_TINY_MODEL,
            arena_printf(w->a,
                         "the whole model takes %.4g us on the CPU (%s), and handing it over takes %.4g us (%s): left on the "
                         "CPU it is faster, however fast the device",
                         k->cpu_us, source(k->cpu_measured), k->cross_us, source(w->terms->measured)),
            err);
    for (uint32_t p = 0; p < k->n_parts && w->c->parts.n_cpu && !st; p++) {
        const struct partition *part = &w->c->parts.parts[p];

        if (k->parts[p].cpu_us > k->parts[p].cross_us)
            continue;
        for (uint32_t i = 0; i < part->n_nodes; i++)
            w->nodes[w->n_nodes++] = part->nodes[i]->index;
        st = give(w, ADVICE_PARTITION_COSTS_MORE,
                  arena_printf(w->a,
                               "partition %u costs more than it can gain: its nodes take %.4g us on the CPU (%s), and handing "
                               "them over takes %.4g us (%s)",
                               p, k->parts[p].cpu_us, source(k->cpu_measured), k->parts[p].cross_us, source(w->terms->measured)),
                  err);
    }
    if (!st && k->n_parts >= COST_MANY_CROSSINGS)
        st = give(w, ADVICE_MANY_PARTITIONS,
                  arena_printf(w->a,
                               "%u partitions, each handed over and waited for: %.1f us of the %.1f us that crossing takes (%s); "
                               "--max_delegated_partitions keeps the largest",
                               k->n_parts, k->n_parts * w->terms->sync_us, k->cross_us, source(w->terms->measured)),
                  err);
    return st;
}

enum status cost_advise(const struct coverage *c, const struct cost_terms *terms, struct arena *a, struct cost *out,
                        struct err *err)
{
    struct advising w = {.c = c, .terms = terms, .a = a, .out = out};
    const size_t most = sizeof movers / sizeof *movers + c->graphs[0]->n_inputs + out->n_parts + ADVICE_COUNT;
    enum status st;

    w.nodes = ARENA_ARRAY(a, c->n_verdicts, uint32_t);
    out->advice = ARENA_ARRAY(a, most, struct advice);
    if (!w.nodes || !out->advice)
        return err_set(err, ST_NOMEM, "out of memory for advice");
    if ((st = look_at_gain(&w, err)) || (st = look_for_movers(&w, err)) || (st = look_at_lanes(&w, err)))
        return st;
    return look_at_inputs(&w, err);
}
