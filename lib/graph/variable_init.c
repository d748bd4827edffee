/* SPDX-License-Identifier: Apache-2.0 */
/* variable_init.c - looks at the subgraph that is called. */
#include "lib/graph/variable_init.h"

#include "schema/options.h"

/* Whether a VAR_HANDLE of the subgraph makes the tensor. */
static bool is_handle(const struct model *m, const struct model_subgraph *s, int32_t tensor)
{
    for (uint32_t i = 0; i < s->n_ops; i++)
        if (model_op_is(m, &s->ops[i], BUILTIN_VAR_HANDLE) && s->ops[i].n_outputs == 1 && s->ops[i].outputs[0] == tensor)
            return true;
    return false;
}

static bool is_constant(const struct tensor *t)
{
    return t->data && !t->is_variable && !t->sparsity;
}

static bool only_assigns_constants(const struct model *m, const struct model_subgraph *s)
{
    for (uint32_t i = 0; i < s->n_ops; i++) {
        const struct model_op *op = &s->ops[i];

        if (model_op_is(m, op, BUILTIN_VAR_HANDLE))
            continue;
        if (!model_op_is(m, op, BUILTIN_ASSIGN_VARIABLE) || op->n_inputs != 2 || op->inputs[0] < 0 || op->inputs[1] < 0 ||
            !is_handle(m, s, op->inputs[0]) || !is_constant(&s->tensors[op->inputs[1]]))
            return false;
    }
    return s->n_inputs == 0;
}

bool variable_init_only(const struct graph *g, const struct node *n)
{
    const struct opt_call_once *o = n->opt;

    if (n->builtin != BUILTIN_CALL_ONCE || n->n_in || n->n_out || o->init_subgraph_index < 0 ||
        (uint32_t)o->init_subgraph_index >= g->model->n_subgraphs)
        return false;
    for (const struct node *before = g->nodes; before != n; before++)
        if (node_is_stateful(before) && !before->folded)
            return false;
    return only_assigns_constants(g->model, &g->model->subgraphs[o->init_subgraph_index]);
}
