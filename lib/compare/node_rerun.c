/* SPDX-License-Identifier: Apache-2.0 */
/* node_rerun.c - a copy of a node with operands and results of its own. */
#include "lib/compare/node_rerun.h"

#include <string.h>

static bool calls_subgraphs(const struct node *n)
{
    return n->builtin == BUILTIN_IF || n->builtin == BUILTIN_WHILE || n->builtin == BUILTIN_CALL_ONCE || n->called;
}

bool node_rerun_possible(const struct node *n)
{
    if (!n->op || node_is_stateful(n) || n->dynamic || calls_subgraphs(n))
        return false;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && (n->in[i]->is_variable || !n->in[i]->data))
            return false;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && (n->out[i]->type == TYPE_STRING || n->out[i]->is_variable))
            return false;
    return true;
}

static enum status copy_operand(struct node_rerun *b, const struct tensor *from, uint32_t i, node_rerun_change change,
                                struct err *err)
{
    struct tensor *t = &b->in[i];

    *t = *from;
    b->node.in[i] = t;
    if (!change || t->type != TYPE_FLOAT32 || t->sparsity)
        return ST_OK;
    if (!(t->data = arena_alloc(&b->arena, t->bytes ? t->bytes : 1, 1)))
        return err_set(err, ST_NOMEM, "out of memory for %s", TENSOR_TEXT(t));
    memcpy(t->data, from->data, t->bytes);
    change(from, i, t->data, tensor_elems(t));
    return ST_OK;
}

enum status node_rerun_init(struct node_rerun *b, const struct node *n, const void *opt, node_rerun_change change, struct err *err)
{
    enum status st = ST_OK;

    *b = (struct node_rerun){.node = *n};
    b->in = ARENA_ARRAY(&b->arena, n->n_in + 1, struct tensor);
    b->out = ARENA_ARRAY(&b->arena, n->n_out + 1, struct tensor);
    b->node.in = ARENA_ARRAY(&b->arena, n->n_in + 1, struct tensor *);
    b->node.out = ARENA_ARRAY(&b->arena, n->n_out + 1, struct tensor *);
    b->node.opt = opt ? opt : n->opt;
    if (!b->in || !b->out || !b->node.in || !b->node.out)
        return err_set(err, ST_NOMEM, "out of memory for a copy of node %u", n->index);
    for (uint32_t i = 0; i < n->n_in && !st; i++)
        if (n->in[i])
            st = copy_operand(b, n->in[i], i, change, err);
    for (uint32_t i = 0; i < n->n_out && !st; i++) {
        if (!n->out[i])
            continue;
        b->out[i] = *n->out[i];
        b->node.out[i] = &b->out[i];
        if (!(b->out[i].data = arena_alloc(&b->arena, b->out[i].bytes ? b->out[i].bytes : 1, 1)))
            st = err_set(err, ST_NOMEM, "out of memory for %s", TENSOR_TEXT(n->out[i]));
    }
    return st;
}

void node_rerun_free(struct node_rerun *b)
{
    arena_free(&b->arena);
    *b = (struct node_rerun){0};
}

enum status node_rerun_run(struct node_rerun *b, struct threads *threads, bool double_sums, struct err *err)
{
    struct cpu_call call = {.node = &b->node, .threads = threads, .mode = CPU_REFERENCE, .double_sums = double_sums};

    return cpu_run_once(&call, err);
}
