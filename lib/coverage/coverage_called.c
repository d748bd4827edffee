/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_called.c - nodes of called subgraphs that delegates take; each subgraph is counted once. */
#include "lib/coverage/coverage_impl.h"
#include "lib/graph/control_flow.h"
#include "lib/graph/graph_infer.h"

struct asking {
    struct coverage_called *to;
    struct delegate *const *ds;
    const struct partition_options *opt;
    struct arena *arena;
    bool *seen;            /* [subgraphs of the model] */
    struct graph **graphs; /* [n, of as many] that were asked about */
    struct partitioning *parts;
    uint32_t n;
    struct control_flow_budget left;
};

static bool are_known(struct tensor *const *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!t[i] || t[i]->is_dynamic)
            return false;
    return true;
}

/* As the session that calls it would, at the first call by this node. */
static enum status ask(struct asking *a, const struct graph *g, const struct node *n, uint32_t index, struct err *err)
{
    const uint32_t first = node_first_call_input(n);
    struct graph **to = &a->graphs[a->n];
    struct partitioning *p = &a->parts[a->n];
    struct claim *claims;
    struct err why;
    enum status st;

    a->to->subgraphs++;
    *to = n->n_in >= first && are_known(n->in, n->n_in)
              ? control_flow_graph(g->model, index, n->in + first, n->n_in - first, &a->left, graph_infer_within, &why)
              : NULL;
    if (!*to) {
        a->to->unknown++;
        return ST_OK;
    }
    a->n++;
    if ((st = partition_ask(*to, a->ds, NULL, a->arena, &claims, err)) ||
        (st = partition_claimed(*to, claims, a->opt, a->arena, p, err)))
        return st;
    a->to->nodes += p->n_cpu + p->n_delegated;
    a->to->delegated += p->n_delegated;
    a->to->partitions += p->n_parts;
    return ST_OK;
}

static enum status look(struct asking *a, const struct graph *g, const struct partitioning *p, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        struct model_calls w = {.op = &g->model->subgraphs[g->subgraph].ops[n->index]};
        uint32_t index;

        if (n->folded || p->part_of[i] >= 0 || !node_calls_asked(n))
            continue;
        while (!st && model_next_call(&w, &index)) {
            if (!a->seen[index])
                st = ask(a, g, n, index, err);
            a->seen[index] = true;
        }
    }
    return st;
}

enum status coverage_find_called(struct coverage *c, struct delegate *const *ds, const struct partition_options *opt,
                                 struct err *err)
{
    const struct model *m = c->graphs[0]->model;
    struct arena scratch = {0};
    struct asking a = {.to = &c->called, .ds = ds, .opt = opt, .arena = &scratch, .left = CONTROL_FLOW_BUDGET};
    static struct delegate *const nobody[] = {NULL};
    static const struct partition_options plain = {0};
    enum status st;

    if (partition_numbers_nodes(opt)) {
        a.ds = nobody;
        a.opt = &plain;
    }
    a.seen = ARENA_ARRAY(&scratch, m->n_subgraphs, bool);
    a.graphs = ARENA_ARRAY(&scratch, m->n_subgraphs, struct graph *);
    a.parts = ARENA_ARRAY(&scratch, m->n_subgraphs, struct partitioning);
    if (a.seen && a.graphs && a.parts)
        st = look(&a, c->graphs[0], &c->parts, err);
    else
        st = err_set(err, ST_NOMEM, "out of memory for %u subgraphs", m->n_subgraphs);
    for (uint32_t i = 0; i < a.n && !st; i++) /* calls within what is called make it longer */
        st = look(&a, a.graphs[i], &a.parts[i], err);
    for (uint32_t i = 0; i < a.n; i++)
        graph_free(a.graphs[i]);
    arena_free(&scratch);
    return st;
}
