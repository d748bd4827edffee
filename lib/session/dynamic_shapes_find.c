/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_shapes_find.c - which steps of a plan are groups, what they read and what they make for others. */
#include "lib/session/dynamic_shapes.h"

#include "lib/graph/graph_numbers.h"
#include "lib/graph/graph_part.h"

/* Its shapes depend on what it computes (WHERE): they are not known before it has run. */
static bool sizes_itself(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && (n->in[i]->is_dynamic || (!n->in[i]->is_const && tensor_is_number(n->in[i]))))
            return false;
    return true;
}

static bool all_numbers(struct tensor *const *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (t[i] && (!type_bits(t[i]->type) || t[i]->type == TYPE_RESOURCE))
            return false;
    return true;
}

static bool calls_subgraphs(const struct session *s, const struct node *n)
{
    uint32_t subgraph;

    return model_next_call(&(struct model_calls){.op = &s->graph->model->subgraphs[s->graph->subgraph].ops[n->index]}, &subgraph);
}

static bool belongs(const struct session *s, const struct step *step)
{
    const struct node *n = step->call.node;

    return step->part_index < 0 && n->dynamic && n->op && n->version <= n->op->max_version && !node_is_stateful(n) &&
           all_numbers(n->in, n->n_in) && all_numbers(n->out, n->n_out) && !sizes_itself(n) && !calls_subgraphs(s, n);
}

/* made[tensors]: 1 by the group, 2 by a folded node. */
static void list_inputs(struct dynamic_group *l, const struct graph *g, const uint8_t *made)
{
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; l->within[i] && k < g->nodes[i].n_in; k++) {
            struct tensor *t = g->nodes[i].in[k];

            if (t && made[t->index] != 1 && (!t->is_const || made[t->index] == 2))
                graph_part_add(l->in, &l->n_in, t);
        }
}

static void list_outputs(struct dynamic_group *l, const struct graph *g, const uint8_t *made, bool all)
{
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_in && !l->within[i]; k++)
            if (g->nodes[i].in[k] && made[g->nodes[i].in[k]->index] == 1)
                graph_part_add(l->out, &l->n_out, g->nodes[i].in[k]);
    for (uint32_t i = 0; i < g->n_outputs; i++)
        if (g->outputs[i] && made[g->outputs[i]->index] == 1)
            graph_part_add(l->out, &l->n_out, g->outputs[i]);
    for (uint32_t i = 0; i < g->n_tensors && all; i++)
        if (made[i] == 1)
            graph_part_add(l->out, &l->n_out, &g->tensors[i]);
}

static enum status add_group(struct session *s, uint32_t first, uint32_t n, struct err *err)
{
    const struct graph *g = s->graph;
    struct arena *a = &s->plan.arena;
    struct dynamic_group *l = ARENA_NEW(a, struct dynamic_group);
    uint8_t *made = ARENA_ARRAY(a, g->n_tensors, uint8_t);

    if (!l || !made || !(l->within = ARENA_ARRAY(a, g->n_nodes, bool)) ||
        !(l->in = ARENA_ARRAY(a, g->n_tensors, struct tensor *)) || !(l->out = ARENA_ARRAY(a, g->n_tensors, struct tensor *)))
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", n);
    l->n_steps = n;
    for (uint32_t i = first; i < first + n; i++)
        l->within[s->plan.steps[i].call.node - g->nodes] = true;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out; k++)
            if (g->nodes[i].out[k])
                made[g->nodes[i].out[k]->index] = l->within[i] ? 1 : g->nodes[i].folded ? 2 : 0;
    list_inputs(l, g, made);
    list_outputs(l, g, made, s->opt.keep_intermediates);
    s->plan.steps[first].dynamic = l;
    return ST_OK;
}

enum status dynamic_find(struct session *s, struct err *err)
{
    uint32_t n = 0;
    enum status st = ST_OK;

    if (!s->opt.delegates[0] || dynamic_level(s) == DYNAMIC_LEVELS)
        return ST_OK;
    for (uint32_t i = 0; i <= s->plan.n_steps && !st; i++) {
        if (i < s->plan.n_steps && belongs(s, &s->plan.steps[i])) {
            n++;
            continue;
        }
        if (n)
            st = add_group(s, i - n, n, err);
        n = 0;
    }
    return st;
}
