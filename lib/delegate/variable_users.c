/* SPDX-License-Identifier: Apache-2.0 */
/* variable_users.c - first the nodes of the graph itself, then the subgraphs that name the variable, and who calls these. */
#include "lib/delegate/variable_users.h"

#include "lib/graph/resource.h"
#include "schema/options.h"

#include <string.h>

static bool within(const struct partition *p, const struct node *n)
{
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (p->nodes[i] == n)
            return true;
    return false;
}

static bool takes_handle(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->type == TYPE_RESOURCE)
            return true;
    return false;
}

/* A node that takes a handle and whose variable is not known may mean any. */
static bool is_used_beside(const struct graph *g, const struct partition *p, const struct tensor *variable)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];

        if (!n->folded && takes_handle(n) && (!n->variable || (n->variable == variable && !within(p, n))))
            return true;
    }
    return false;
}

static bool names(const struct model *m, const struct model_subgraph *s, const char *variable)
{
    static const struct opt_var_handle nameless = {0};
    char name[RESOURCE_NAME_MAX];

    for (uint32_t i = 0; i < s->n_ops; i++) {
        const struct model_op *op = &s->ops[i];

        if (m->opcodes[op->opcode].builtin != BUILTIN_VAR_HANDLE)
            continue;
        resource_variable_name(op->options && op->options_kind == OPTIONS_VAR_HANDLE ? op->options : &nameless, name);
        if (!strcmp(name, variable))
            return true;
    }
    return false;
}

static bool calls(const struct model_op *op, uint32_t subgraph)
{
    struct model_calls w = {.op = op};
    uint32_t to;

    while (model_next_call(&w, &to))
        if (to == subgraph)
            return true;
    return false;
}

static bool is_called(const struct model *m, uint32_t subgraph)
{
    for (uint32_t i = 0; i < m->n_subgraphs; i++)
        for (uint32_t k = 0; k < m->subgraphs[i].n_ops; k++)
            if (calls(&m->subgraphs[i].ops[k], subgraph))
                return true;
    return false;
}

/* Whether a session on g may run the subgraph after the first content of variables is set. Subgraphs that nobody calls have
 * sessions, and variables, of their own. */
static bool may_run(const struct graph *g, uint32_t subgraph)
{
    const struct model *m = g->model;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!g->nodes[i].folded && calls(&m->subgraphs[g->subgraph].ops[g->nodes[i].index], subgraph))
            return true;
    for (uint32_t i = 0; i < m->n_subgraphs; i++)
        for (uint32_t k = 0; i != g->subgraph && k < m->subgraphs[i].n_ops; k++)
            if (calls(&m->subgraphs[i].ops[k], subgraph) && is_called(m, i))
                return true;
    return false;
}

bool variable_is_private(const struct graph *g, const struct partition *p, const struct tensor *variable)
{
    const struct model *m = g->model;

    if (is_used_beside(g, p, variable) || is_called(m, g->subgraph))
        return false;
    for (uint32_t i = 0; i < m->n_subgraphs; i++)
        if (i != g->subgraph && names(m, &m->subgraphs[i], variable->name) && may_run(g, i))
            return false;
    return true;
}
