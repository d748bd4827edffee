/* SPDX-License-Identifier: Apache-2.0 */
/* graph_infer.c - node by node in execution order: the shape function, then folding. */
#include "lib/graph/graph_infer.h"
#include "lib/graph/control_flow.h"
#include "lib/graph/graph.h"
#include "lib/graph/graph_part.h"
#include "lib/graph/kernel.h"
#include "lib/graph/resource.h"
#include "lib/graph/variable_shape.h"
#include "lib/graph/whole_floats.h"
#include "schema/options.h"

/* ---- CALL_ONCE nodes that only assign initial values to resource variables, as in nearly all files ----
 *
 * Such a node is no step of the plan: the first run after session_prepare or a reset executes it before all others. */

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

/* Return true if `n`, a node of g, is a CALL_ONCE whose subgraph only assigns constants to variables that it names itself, and no
 * earlier node of g, except others of this kind, reads or changes state. node.folded of earlier nodes must be set. */
static bool variable_init_only(const struct graph *g, const struct node *n)
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

/* ---- folding ---- */

/* Results up to this size are always worth keeping; larger ones only where they stay near the size of the inputs, so that a
 * small file cannot ask for a huge constant. 4 covers int8 and float16 weights becoming float32. */
#define SMALL_BYTES 65536
#define MAX_GROWTH  4

static bool foldable(const struct node *n)
{
    size_t in = 0, out = 0;

    if (!n->op || n->op->cpu->stateful || n->op->cpu->reads_model || !n->n_out || n->version > n->op->max_version)
        return false;
    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct tensor *t = n->in[i];

        if (t && !t->is_const && !n->op->cpu->reads_shape_only)
            return false;
        if (t && __builtin_add_overflow(in, t->bytes, &in))
            return false;
    }
    for (uint32_t i = 0; i < n->n_out; i++) {
        if (!n->out[i] || !type_bits(n->out[i]->type))
            return false;
        if (__builtin_add_overflow(out, n->out[i]->bytes, &out))
            return false;
    }
    return out <= SMALL_BYTES || out / MAX_GROWTH <= in;
}

/* Run the node's reference kernel once if all its inputs are constant (or if it reads only their shapes), and make its outputs
 * constants in g->folded. A node that cannot be folded (stateful, of unknown type, with outputs more than four times its inputs,
 * failing) stays unchanged, and runs or fails later like any other. Fails only with ST_NOMEM. */
static enum status node_fold(struct graph *g, struct node *n, struct err *err)
{
    struct cpu_call call = {.node = n, .mode = CPU_REFERENCE};
    enum status st;

    if (!foldable(n))
        return ST_OK;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (!(n->out[i]->data = arena_alloc(&g->folded, n->out[i]->bytes, 1)))
            return node_err(n, err_set(err, ST_NOMEM, "out of memory for %s", TENSOR_TEXT(n->out[i])), err);
    if ((st = threads_new(1, &call.threads, err)))
        return st;
    n->folded = cpu_run_once(&call, NULL) == ST_OK;
    threads_free(call.threads);
    for (uint32_t i = 0; i < n->n_out; i++) {
        if (!n->folded)
            n->out[i]->data = NULL;
        n->out[i]->is_const = n->out[i]->is_known = n->folded;
    }
    return ST_OK;
}

/* ---- inference ---- */

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
