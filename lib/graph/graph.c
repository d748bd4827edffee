/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - copies a subgraph and orders its nodes. */
#include "lib/graph/graph.h"
#include "lib/graph/kernel.h"
#include "lib/graph/order.h"

#include <stdlib.h>
#include <string.h>

static struct tensor **tensor_list(struct graph *g, const int32_t *index, uint32_t n)
{
    struct tensor **list = ARENA_ARRAY(&g->arena, n, struct tensor *);

    for (uint32_t i = 0; list && i < n; i++)
        list[i] = index[i] < 0 ? NULL : &g->tensors[index[i]];
    return list;
}

/* Options that the file lacks, or has of another kind, are all zero, as TFLite leaves them. */
static enum status node_options(struct graph *g, struct node *n, const struct model_op *op, struct err *err)
{
    const struct options_table *table;

    n->options_kind = builtin_options(n->builtin);
    table = options_table(n->options_kind);
    if (op->options && op->options_kind == n->options_kind)
        n->opt = op->options;
    else if (table && !(n->opt = arena_alloc(&g->arena, 1, table->size)))
        return err_set(err, ST_NOMEM, "out of memory for the options of node %u", n->index);
    return ST_OK;
}

static enum status node_init(struct graph *g, struct node *n, uint32_t index, const struct model_op *op, struct err *err)
{
    const struct model_opcode *code = &g->model->opcodes[op->opcode];

    n->graph = g;
    n->index = index;
    n->builtin = code->builtin;
    n->version = code->version;
    n->name = model_op_name(g->model, op);
    n->op = op_find(code->builtin, code->custom);
    n->in = tensor_list(g, op->inputs, n->n_in = op->n_inputs);
    n->out = tensor_list(g, op->outputs, n->n_out = op->n_outputs);
    n->mid = tensor_list(g, op->intermediates, n->n_mid = op->n_intermediates);
    if (!n->in || !n->out || !n->mid)
        return err_set(err, ST_NOMEM, "out of memory for node %u", index);
    n->custom = op->custom;
    n->n_custom = op->n_custom;
    return node_options(g, n, op, err);
}

#define INPUT UINT32_MAX /* the writer of an input that only the caller writes */

/* writer[t] = 1 + the node that writes tensor t, 0 for none, or INPUT. */
static enum status find_writers(const struct graph *g, uint32_t *writer, struct err *err)
{
    for (uint32_t i = 0; i < g->n_inputs; i++)
        if (g->inputs[i] && !g->inputs[i]->is_variable)
            writer[g->inputs[i]->index] = INPUT;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out; k++) {
            const struct tensor *t = g->nodes[i].out[k];

            if (!t)
                continue;
            if (writer[t->index] == INPUT)
                return err_set(err, ST_BAD_MODEL, "node %u %s writes tensor %u \"%s\", an input of the subgraph", g->nodes[i].index,
                               g->nodes[i].name, t->index, t->name);
            if (writer[t->index])
                return err_set(err, ST_BAD_MODEL, "tensor %u \"%s\" is written by nodes %u and %u", t->index, t->name,
                               writer[t->index] - 1, i);
            writer[t->index] = i + 1;
        }
    return ST_OK;
}

bool node_is_stateful(const struct node *n)
{
    for (uint32_t i = 0; n->called && i < n->called->n_nodes; i++)
        if (node_is_stateful(&n->called->nodes[i]))
            return true;
    if (!n->op || (n->op->cpu->stateful && !n->called))
        return true;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && (n->in[i]->is_variable || n->in[i]->type == TYPE_RESOURCE))
            return true;
    return false;
}

/* Its content is there though it has no writer. */
static bool is_given(const struct tensor *t)
{
    return t->is_const || t->is_variable || (!t->bytes && t->type != TYPE_STRING);
}

static enum status check_read(const struct node *n, const struct tensor *t, struct err *err)
{
    if (is_given(t))
        return ST_OK;
    if (!n->op) /* an NPU's, whose memory the file describes so */
        return node_err(n, err_set(err, ST_BAD_MODEL, "no CPU kernel for this operator"), err);
    return err_set(err, ST_BAD_MODEL, "node %u %s reads tensor %u \"%s\", which nothing writes", n->index, n->name, t->index,
                   t->name);
}

static enum status find_edges(struct graph *g, const uint32_t *writer, struct edge *edges, size_t *n_edges, struct err *err)
{
    uint32_t last_kept = UINT32_MAX;

    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];

        for (uint32_t k = 0; k < n->n_in; k++) {
            const struct tensor *t = n->in[k];

            if (!t || writer[t->index] == INPUT)
                continue;
            if (writer[t->index])
                edges[(*n_edges)++] = (struct edge){writer[t->index] - 1, i};
            else {
                enum status st = check_read(n, t, err);

                if (st)
                    return st;
            }
        }
        if (node_is_stateful(n)) {
            if (last_kept != UINT32_MAX)
                edges[(*n_edges)++] = (struct edge){last_kept, i};
            last_kept = i;
        }
    }
    return ST_OK;
}

static enum status check_outputs(const struct graph *g, const uint32_t *writer, struct err *err)
{
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        const struct tensor *t = g->outputs[i];

        if (t && !writer[t->index] && !is_given(t))
            return err_set(err, ST_BAD_MODEL, "nothing writes tensor %u \"%s\", output %u of the subgraph", t->index, t->name, i);
    }
    return ST_OK;
}

/* Puts g->nodes into execution order. */
static enum status sort_nodes(struct graph *g, struct arena *a, struct err *err)
{
    size_t n_edges = 0, max_edges = g->n_nodes;
    uint32_t *writer = ARENA_ARRAY(a, g->n_tensors, uint32_t), *order = ARENA_ARRAY(a, g->n_nodes, uint32_t), at = 0;
    struct node *sorted = ARENA_ARRAY(&g->arena, g->n_nodes, struct node);
    struct edge *edges;
    enum status st;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        max_edges += g->nodes[i].n_in;
    edges = ARENA_ARRAY(a, max_edges, struct edge);
    if (!writer || !order || !sorted || !edges)
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", g->n_nodes);
    if ((st = find_writers(g, writer, err)) || (st = find_edges(g, writer, edges, &n_edges, err)) ||
        (st = check_outputs(g, writer, err)))
        return st;
    if ((st = order_sort(g->n_nodes, edges, n_edges, a, order, &at, err)))
        return st == ST_BAD_MODEL ? err_prefix(err, st, "node %u %s", at, g->nodes[at].name) : st;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        sorted[i] = g->nodes[order[i]];
    g->nodes = sorted;
    return ST_OK;
}

/* VAR_HANDLEs. The loader holds the number of operators far below what would overflow beside that of tensors. */
static uint32_t count_handles(const struct model *m, const struct model_subgraph *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n_ops; i++)
        n += m->opcodes[s->ops[i].opcode].builtin == BUILTIN_VAR_HANDLE;
    return n;
}

static enum status graph_fill(struct graph *g, const struct model_subgraph *s, struct err *err)
{
    enum status st;

    g->name = s->name;
    g->n_tensors = s->n_tensors;
    g->n_nodes = s->n_ops;
    g->cap_tensors = s->n_tensors + count_handles(g->model, s);
    g->tensors = ARENA_ARRAY(&g->arena, g->cap_tensors, struct tensor);
    g->nodes = ARENA_ARRAY(&g->arena, s->n_ops, struct node);
    if (!g->tensors || !g->nodes)
        return err_set(err, ST_NOMEM, "out of memory for %u tensors and %u nodes", s->n_tensors, s->n_ops);
    for (uint32_t i = 0; i < s->n_tensors; i++) {
        struct tensor *t = &g->tensors[i];

        *t = s->tensors[i];
        t->index = i;
        t->is_const = t->data && !t->is_variable;
        t->is_known = t->is_const;
    }
    g->inputs = tensor_list(g, s->inputs, g->n_inputs = s->n_inputs);
    g->outputs = tensor_list(g, s->outputs, g->n_outputs = s->n_outputs);
    if (!g->inputs || !g->outputs)
        return err_set(err, ST_NOMEM, "out of memory for the inputs and outputs");
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if ((st = node_init(g, &g->nodes[i], i, &s->ops[i], err)))
            return st;
    return ST_OK;
}

enum status graph_new_as_filed(const struct model *m, uint32_t subgraph, struct graph **out, struct err *err)
{
    struct graph *g = calloc(1, sizeof *g);
    enum status st;

    *out = NULL;
    if (!g)
        return err_set(err, ST_NOMEM, "out of memory");
    g->model = m;
    g->subgraph = subgraph;
    if (subgraph >= m->n_subgraphs)
        st = err_set(err, ST_BAD_MODEL, "subgraph %u of %u", subgraph, m->n_subgraphs);
    else
        st = graph_fill(g, &m->subgraphs[subgraph], err);
    if (st)
        graph_free(g);
    else
        *out = g;
    return st;
}

enum status graph_new(const struct model *m, uint32_t subgraph, struct graph **out, struct err *err)
{
    struct arena scratch = {0};
    enum status st = graph_new_as_filed(m, subgraph, out, err);

    if (!st && (st = sort_nodes(*out, &scratch, err))) {
        graph_free(*out);
        *out = NULL;
    }
    arena_free(&scratch);
    return st;
}

void graph_free(struct graph *g)
{
    if (!g)
        return;
    for (uint32_t i = 0; g->nodes && i < g->n_nodes; i++)
        graph_free(g->nodes[i].called);
    arena_free(&g->folded);
    arena_free(&g->arena);
    free(g);
}

enum status graph_resize_input(struct graph *g, uint32_t i, const int32_t *dim, int32_t rank, struct err *err)
{
    if (i >= g->n_inputs)
        return err_set(err, ST_USAGE, "input %u, the model has %u", i, g->n_inputs);
    return tensor_set_shape(g->inputs[i], dim, rank, err);
}

enum status node_err(const struct node *n, enum status st, struct err *err)
{
    char inputs[256] = "";
    size_t len = 0;

    for (uint32_t i = 0; i < n->n_in && len < sizeof inputs; i++)
        len += (size_t)snprintf(inputs + len, sizeof inputs - len, "%s%s", i ? ", " : "",
                                n->in[i] ? TENSOR_TEXT(n->in[i]) : "none");
    if (len >= sizeof inputs)
        strcpy(inputs + sizeof inputs - 4, "…");
    return err_prefix(err, st, "node %u %s(%s)", n->index, n->name, inputs);
}
