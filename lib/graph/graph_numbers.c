/* SPDX-License-Identifier: Apache-2.0 */
/* graph_numbers.c - forwards what can be known, backwards what for: nodes stand in the order in which they run. */
#include "lib/graph/graph_numbers.h"

#include "lib/graph/graph_part.h"

#include <string.h>

bool tensor_is_number(const struct tensor *t)
{
    return (t->type == TYPE_INT32 || t->type == TYPE_INT64) && !t->is_dynamic && tensor_elems(t) <= GRAPH_NUMBERS;
}

static bool all_marked(const struct node *n, const bool *set)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && !set[n->in[i]->index])
            return false;
    return true;
}

static void mark_all(struct tensor *const *list, uint32_t n, bool value, bool *set)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i])
            set[list[i]->index] = value;
}

static void find_knowable(const struct graph *g, bool *can_know)
{
    for (uint32_t i = 0; i < g->n_tensors; i++)
        can_know[i] = g->tensors[i].is_const;
    for (uint32_t i = 0; i < g->n_inputs; i++)
        can_know[g->inputs[i]->index] = g->inputs[i]->is_const || tensor_is_number(g->inputs[i]);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];

        if (!graph_leaves_out(g, i) && !n->folded)
            mark_all(n->out, n->n_out, !node_is_stateful(n) && !n->dynamic && all_marked(n, can_know), can_know);
    }
}

/* Operands that the shapes of node n depend on, which cannot be told yet. */
static void ask_for(const struct node *n, const bool *can_know, bool *wanted)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->is_dynamic)
            return;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && tensor_is_number(n->in[i]) && can_know[n->in[i]->index])
            wanted[n->in[i]->index] = true;
}

void graph_numbers_wanted(const struct graph *g, bool *can_know, bool *wanted)
{
    find_knowable(g, can_know);
    memset(wanted, 0, g->n_tensors * sizeof *wanted);
    for (uint32_t i = g->n_nodes; i--;) {
        const struct node *n = &g->nodes[i];
        bool above = false;

        if (n->dynamic)
            ask_for(n, can_know, wanted);
        for (uint32_t k = 0; k < n->n_out && !graph_leaves_out(g, i); k++)
            above |= n->out[k] && wanted[n->out[k]->index];
        if (above)
            mark_all(n->in, n->n_in, true, wanted);
    }
}
