/* SPDX-License-Identifier: Apache-2.0 */
/* extract.c - tensors, constants and operators renumbered. */
#include "lib/rewrite/extract_impl.h"

#include <string.h>

/* A constant of the file as it is stored there, which may be sparse; one that was folded as it was computed. */
static uint32_t add_buffer(struct extraction *x, const struct tensor *t)
{
    const struct model *from = x->g->model;
    const struct tensor *in_file = &from->subgraphs[x->g->subgraph].tensors[t->index];

    if (in_file->is_const)
        return extract_buffer(x, in_file->buffer);
    x->m->buffers[x->m->n_buffers] = (struct model_buffer){.data = t->data, .bytes = t->bytes};
    return x->m->n_buffers++;
}

/* The index that the tensor has in the new model; it is added at first. */
static int32_t add_tensor(struct extraction *x, int32_t index)
{
    struct tensor *t;
    uint32_t at;

    if (index < 0)
        return index;
    if ((at = x->tensor_at[index]) != EXTRACT_NONE)
        return (int32_t)at;
    at = x->tensor_at[index] = x->sub->n_tensors++;
    t = &x->sub->tensors[at];
    *t = x->g->tensors[index];
    t->index = at;
    t->signature = NULL;
    t->n_signature = 0;
    t->has_rank = true;
    if (extract_is_handle(t)) { /* its number holds in this session alone */
        t->is_const = false;
        t->data = NULL;
    }
    t->buffer = t->is_const ? add_buffer(x, &x->g->tensors[index]) : 0;
    if (t->quant.block_size > 0 || t->quant.n_axes) {
        t->quant.block_scales = add_tensor(x, t->quant.block_scales);
        t->quant.block_zero_points = add_tensor(x, t->quant.block_zero_points);
    }
    return (int32_t)at;
}

static const int32_t *add_list(struct extraction *x, const int32_t *list, uint32_t n)
{
    int32_t *to = ARENA_ARRAY(x->a, n, int32_t);

    for (uint32_t i = 0; to && i < n; i++)
        to[i] = add_tensor(x, list[i]);
    return to;
}

static enum status add_op(struct extraction *x, const struct node *n, struct err *err)
{
    const struct model_op *from = &x->g->model->subgraphs[x->g->subgraph].ops[n->index];
    struct model_op *op = &x->sub->ops[x->sub->n_ops++];

    *op = *from;
    op->inputs = add_list(x, from->inputs, from->n_inputs);
    op->outputs = add_list(x, from->outputs, from->n_outputs);
    op->intermediates = add_list(x, from->intermediates, from->n_intermediates);
    return op->inputs && op->outputs && op->intermediates ? extract_renumber(x, op, err) : extract_nomem(err);
}

/* Who touches a tensor, of the nodes that are not folded; and whether it leaves the graph. */
enum { MADE_INSIDE = 1, READ_INSIDE = 2, READ_OUTSIDE = 4, LEAVES = 8 };

/* touched[graph tensors], in `a`; NULL: out of memory. */
static uint8_t *see_touched(const struct graph *g, const bool *chosen, struct arena *a)
{
    uint8_t *touched = ARENA_ARRAY(a, g->n_tensors, uint8_t);

    for (uint32_t i = 0; touched && i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];

        for (uint32_t k = 0; k < n->n_in + n->n_out && !n->folded; k++) {
            const bool reads = k < n->n_in;
            const struct tensor *t = reads ? n->in[k] : n->out[k - n->n_in];

            if (t)
                touched[t - g->tensors] |= reads ? chosen[i] ? READ_INSIDE : READ_OUTSIDE : chosen[i] ? MADE_INSIDE : 0;
        }
    }
    for (uint32_t i = 0; touched && i < g->n_outputs; i++)
        if (g->outputs[i])
            touched[g->outputs[i] - g->tensors] |= LEAVES;
    return touched;
}

/* Handles cross no border: who reads one makes its own. */
static enum status add_border(struct extraction *x, struct err *err)
{
    const struct graph *g = x->g;
    const uint8_t *touched = see_touched(g, x->taken, x->a);
    uint32_t *from = ARENA_ARRAY(x->a, g->n_tensors, uint32_t); /* [new tensors] their place in the graph */

    if (!touched || !from)
        return extract_nomem(err);
    for (uint32_t i = 0; i < g->n_tensors; i++) {
        const bool leaves = touched[i] & (READ_OUTSIDE | LEAVES), read = touched[i] & READ_INSIDE;

        if (x->tensor_at[i] == EXTRACT_NONE)
            continue;
        from[x->tensor_at[i]] = i;
        if ((touched[i] & MADE_INSIDE) && (leaves || !read) && !extract_is_handle(&g->tensors[i]))
            x->outputs[x->sub->n_outputs++] = (int32_t)x->tensor_at[i];
    }
    for (uint32_t at = 0; at < x->sub->n_tensors; at++) { /* as they were first read */
        const struct tensor *t = &g->tensors[from[at]];

        if (!t->is_const && !t->is_variable && !extract_is_handle(t) &&
            (touched[from[at]] & (READ_INSIDE | MADE_INSIDE)) == READ_INSIDE)
            x->inputs[x->sub->n_inputs++] = (int32_t)at;
    }
    return ST_OK;
}

/* [n] numbers, EXTRACT_NONE each; NULL: out of memory. */
static uint32_t *no_numbers(struct arena *a, uint32_t n)
{
    uint32_t *list = ARENA_ARRAY(a, n, uint32_t);

    if (list)
        memset(list, 0xff, n * sizeof *list);
    return list;
}

static enum status make_room(struct extraction *x, struct err *err)
{
    const struct graph *g = x->g;
    const struct model *of = g->model;
    struct model *m = x->m;

    x->taken = ARENA_ARRAY(x->a, g->n_nodes, bool);
    x->tensor_at = no_numbers(x->a, g->n_tensors);
    x->opcode_at = no_numbers(x->a, of->n_opcodes);
    x->buffer_at = no_numbers(x->a, of->n_buffers);
    x->subgraph_at = no_numbers(x->a, of->n_subgraphs);
    x->source = no_numbers(x->a, of->n_subgraphs + 1);
    x->inputs = ARENA_ARRAY(x->a, g->n_tensors, int32_t);
    x->outputs = ARENA_ARRAY(x->a, g->n_tensors, int32_t);
    m->opcodes = ARENA_ARRAY(x->a, of->n_opcodes, struct model_opcode);
    m->buffers = ARENA_ARRAY(x->a, (size_t)g->n_tensors + of->n_buffers + 1, struct model_buffer);
    m->subgraphs = x->sub = ARENA_ARRAY(x->a, (size_t)of->n_subgraphs + 1, struct model_subgraph);
    if (!x->taken || !x->tensor_at || !x->opcode_at || !x->buffer_at || !x->subgraph_at || !x->source || !x->inputs ||
        !x->outputs || !m->opcodes || !m->buffers || !x->sub)
        return extract_nomem(err);
    x->sub->tensors = ARENA_ARRAY(x->a, g->n_tensors, struct tensor);
    x->sub->ops = ARENA_ARRAY(x->a, g->n_nodes, struct model_op);
    if (!x->sub->tensors || !x->sub->ops)
        return extract_nomem(err);
    return ST_OK;
}

enum status extract_nodes(const struct graph *g, const bool *chosen, struct arena *a, struct model *out, struct err *err)
{
    const uint32_t *at;

    return extract_nodes_at(g, chosen, a, out, &at, err);
}

enum status extract_nodes_at(const struct graph *g, const bool *chosen, struct arena *a, struct model *out, const uint32_t **at,
                             struct err *err)
{
    struct extraction x = {.g = g, .a = a, .m = out};
    enum status st;

    *out = (struct model){.version = 3, .description = "extracted by Delegauge", .n_subgraphs = 1, .n_buffers = 1};
    if ((st = make_room(&x, err)) || (st = extract_take(&x, chosen, err)))
        return st;
    *at = x.tensor_at;
    x.sub->name = g->name;
    x.sub->debug_metadata_index = -1;
    x.sub->inputs = x.inputs;
    x.sub->outputs = x.outputs;
    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        if (x.taken[i])
            st = add_op(&x, &g->nodes[i], err);
    if (!st && !x.sub->n_ops)
        return err_set(err, ST_USAGE, "no node to extract");
    return st || (st = add_border(&x, err)) ? st : extract_called(&x, err);
}

bool extract_grow(const struct graph *g, bool *chosen, bool before, struct arena *a)
{
    bool *grown = ARENA_ARRAY(a, g->n_nodes, bool), any = false;
    const uint8_t *touched = see_touched(g, chosen, a), sought = before ? READ_INSIDE : MADE_INSIDE;

    if (!touched)
        return false;
    for (uint32_t i = 0; grown && i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];

        for (uint32_t k = 0; k < (before ? n->n_out : n->n_in) && !chosen[i] && !n->folded; k++) {
            const struct tensor *t = before ? n->out[k] : n->in[k];

            grown[i] |= t && (touched[t - g->tensors] & sought);
        }
    }
    for (uint32_t i = 0; grown && i < g->n_nodes; i++) {
        any |= grown[i];
        chosen[i] |= grown[i];
    }
    return any;
}
