/* SPDX-License-Identifier: Apache-2.0 */
/* graph_infer.c - node by node in execution order: the shape function, then folding. */
#include "graph_infer.h"
#include "fold.h"
#include "kernel.h"
#include "variable_shape.h"

static bool any_dynamic(struct tensor *const *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] && list[i]->is_dynamic)
            return true;
    return false;
}

static bool makes_strings(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && n->out[i]->type == TYPE_STRING)
            return true;
    return false;
}

/* Sparse constants hold fewer bytes than their shape says; a kernel that does not know would read past them. */
static enum status check_sparse(const struct node *n, struct err *err)
{
    if (!n->op || n->op->cpu->reads_sparse)
        return ST_OK;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->sparsity)
            return err_set(err, ST_UNSUPPORTED, "input %u is a sparse constant", i);
    return ST_OK;
}

static enum status node_infer(struct graph *g, struct node *n, struct err *err)
{
    enum status st = check_sparse(n, err);

    if (st)
        return node_err(n, st, err);
    n->folded = false;
    n->dynamic = any_dynamic(n->in, n->n_in) || makes_strings(n);
    if (n->op && n->op->cpu->shape && !any_dynamic(n->in, n->n_in)) {
        st = n->op->cpu->shape(n, err);
        if (st == ST_LATER)
            n->dynamic = true;
        else if (st)
            return node_err(n, st, err);
    }
    for (uint32_t i = 0; n->dynamic && i < n->n_out; i++)
        if (n->out[i])
            n->out[i]->is_dynamic = true;
    return n->dynamic ? ST_OK : node_fold(g, n, err);
}

enum status graph_infer(struct graph *g, struct err *err)
{
    const struct model_subgraph *s = &g->model->subgraphs[g->subgraph];
    enum status st = variable_shapes_find(g, err);

    if (st)
        return st;
    arena_free(&g->folded);
    for (uint32_t i = 0; i < g->n_tensors; i++) {
        struct tensor *t = &g->tensors[i];

        t->data = s->tensors[i].data;
        t->is_const = t->is_known = t->data && !t->is_variable;
        t->is_dynamic = false;
    }
    for (uint32_t i = 0; !st && i < g->n_nodes; i++)
        st = node_infer(g, &g->nodes[i], err);
    return st;
}
