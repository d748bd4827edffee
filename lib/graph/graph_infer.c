/* SPDX-License-Identifier: Apache-2.0 */
/* graph_infer.c - node by node in execution order: the shape function, then folding. */
#include "lib/graph/graph_infer.h"
#include "lib/graph/control_flow.h"
#include "lib/graph/fold.h"
#include "lib/graph/graph_part.h"
#include "lib/graph/kernel.h"
#include "lib/graph/resource.h"
#include "lib/graph/variable_init.h"
#include "lib/graph/variable_shape.h"
#include "lib/graph/whole_floats.h"

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

/* The number of a variable is the same in each run; whoever has the resources writes it (variable_binding.h). One whose name is
 * too long fails while running. */
static enum status fold_handle(struct graph *g, struct node *n, struct err *err)
{
    struct tensor *h = n->out[0];
    char name[RESOURCE_NAME_MAX];

    if (h->type != TYPE_RESOURCE || !resource_variable_name(n->opt, name))
        return ST_OK;
    if (!(h->data = arena_alloc(&g->folded, h->bytes, 1)))
        return node_err(n, err_set(err, ST_NOMEM, "out of memory"), err);
    h->is_const = h->is_known = n->folded = true;
    return ST_OK;
}

static enum status node_infer(struct graph *g, struct node *n, struct control_flow_budget *left, struct err *err)
{
    enum status st = check_sparse(n, err);

    if (st)
        return node_err(n, st, err);
    graph_free(n->called);
    n->called = NULL;
    n->folded = false;
    n->dynamic = any_dynamic(n->in, n->n_in) || makes_strings(n);
    if (n->op && n->op->cpu->shape && !any_dynamic(n->in, n->n_in)) {
        st = cpu_infer(n, err);
        if (st == ST_LATER)
            n->dynamic |= !control_flow_infer(g, n, left, graph_infer_within);
        else if (st)
            return node_err(n, st, err);
    }
    for (uint32_t i = 0; n->dynamic && i < n->n_out; i++)
        if (n->out[i])
            n->out[i]->is_dynamic = true;
    if (n->dynamic)
        return ST_OK;
    if (node_assigns_variable(n) && !tensor_same_shape(n->in[1], n->variable)) /* an input was resized */
        n->variable = NULL;
    if (variable_init_only(g, n)) {
        n->folded = true;
        return ST_OK;
    }
    return node_names_variable(n) ? fold_handle(g, n, err) : node_fold(g, n, err);
}

enum status graph_infer_node(struct graph *g, struct node *n, struct err *err)
{
    return node_infer(g, n, &CONTROL_FLOW_BUDGET, err);
}

enum status graph_infer(struct graph *g, struct err *err)
{
    return graph_infer_within(g, &CONTROL_FLOW_BUDGET, err);
}

void graph_unfold(struct graph *g)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        struct node *n = &g->nodes[i];

        for (uint32_t k = 0; k < n->n_out && n->folded; k++)
            if (n->out[k]) {
                n->out[k]->is_const = n->out[k]->is_known = false;
                n->out[k]->data = NULL;
            }
        n->folded = false;
    }
}

enum status graph_infer_within(struct graph *g, struct control_flow_budget *left, struct err *err)
{
    const struct model_subgraph *s = &g->model->subgraphs[g->subgraph];
    enum status st = variable_shapes_find(g, err);

    if (st)
        return st;
    arena_free(&g->folded);
    whole_floats_mark(g);
    for (uint32_t i = 0; i < s->n_tensors; i++) {
        struct tensor *t = &g->tensors[i];

        t->data = g->part && g->part->known[i] ? (void *)g->part->known[i] : s->tensors[i].data;
        t->is_const = t->is_known = t->data && !t->is_variable;
        t->is_dynamic = false;
    }
    for (uint32_t i = 0; g->given && i < g->n_inputs; i++)
        if (g->inputs[i] && g->given[i]->is_const && tensor_same_shape(g->inputs[i], g->given[i])) {
            g->inputs[i]->data = g->given[i]->data;
            g->inputs[i]->is_const = g->inputs[i]->is_known = true;
        }
    for (uint32_t i = 0; !st && i < g->n_nodes; i++) {
        g->nodes[i].folded = graph_leaves_out(g, i);
        g->nodes[i].dynamic = false;
        if (!graph_leaves_out(g, i))
            st = node_infer(g, &g->nodes[i], left, err);
    }
    return st;
}
