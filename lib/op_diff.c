/* SPDX-License-Identifier: Apache-2.0 */
/* op_diff.c - comparing every tensor that can be seen, and running nodes one at a time. */
#include "op_diff.h"

#include <string.h>

static bool is_visible(const struct partitioning *p, uint32_t node, const struct tensor *t)
{
    const struct partition *part;

    if (!p || p->part_of[node] < 0)
        return true;
    part = &p->parts[p->part_of[node]];
    for (uint32_t i = 0; i < part->n_outputs; i++)
        if (part->outputs[i] == t)
            return true;
    return false;
}

static void add_node(struct op_diffs *o, uint32_t node)
{
    const struct graph *reference = session_graph(o->reference), *test = session_graph(o->test);
    const struct partitioning *p = session_partitioning(o->test);
    const struct node *n = &test->nodes[node];

    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && !n->folded)
            o->ops[o->n++] = (struct op_diff){.node = n,
                                              .reference = &reference->tensors[n->out[i]->index],
                                              .test = n->out[i],
                                              .partition = p ? p->part_of[node] : -1,
                                              .visible = is_visible(p, node, n->out[i])};
}

enum status op_diffs_init(struct op_diffs *o, const struct session *reference, const struct session *test, struct err *err)
{
    const struct graph *g = session_graph(test);
    size_t n = 0;

    *o = (struct op_diffs){.reference = reference, .test = test};
    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += g->nodes[i].n_out;
    if (!(o->ops = ARENA_ARRAY(&o->arena, n, struct op_diff)))
        return err_set(err, ST_NOMEM, "out of memory for comparing %zu tensors", n);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        add_node(o, i);
    return ST_OK;
}

void op_diffs_free(struct op_diffs *o)
{
    arena_free(&o->arena);
    *o = (struct op_diffs){0};
}

void op_diffs_add(struct op_diffs *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (o->ops[i].visible && o->ops[i].reference->data && o->ops[i].test->data)
            diff_add(&o->ops[i].diff, o->ops[i].reference, o->ops[i].test, false);
}

/* The node of `g` that stands for the same operator as `n` does in another session of the model. */
static struct node *same_node(const struct graph *g, const struct node *n)
{
    uint32_t i = 0;

    while (g->nodes[i].index != n->index)
        i++;
    return &g->nodes[i];
}

/* False where a tensor is missing on either side, and for state: the reference has moved on by now. */
static bool copy_inputs(const struct graph *reference, struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct tensor *from = n->in[i] ? &reference->tensors[n->in[i]->index] : NULL;

        if (!from || from->is_const)
            continue;
        if (from->is_variable || !from->data || !n->in[i]->data || from->bytes != n->in[i]->bytes)
            return false;
        memcpy(n->in[i]->data, from->data, from->bytes);
    }
    return true;
}

/* Inputs of `n` that are made outside it, each once. */
static uint32_t collect_inputs(const struct node *n, struct tensor **out)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < n->n_in; i++) {
        uint32_t k = 0;

        while (k < count && out[k] != n->in[i])
            k++;
        if (k == count && n->in[i] && !n->in[i]->is_const)
            out[count++] = n->in[i];
    }
    return count;
}

static enum status run_partition(const struct graph *g, struct partition *part, struct arena *a, struct err *err)
{
    struct reason *refused = ARENA_ARRAY(a, g->n_nodes, struct reason), *why;
    struct delegate *d = part->delegate;
    struct delegate_kernel *k = NULL;
    enum status st = refused ? d->ops->init(d, g, part, refused, &k, err)
                             : err_set(err, ST_NOMEM, "out of memory for %u nodes", g->n_nodes);

    if (!st && (why = &refused[part->nodes[0]->index])->code != REASON_NONE)
        st = err_set(err, ST_FAILED, "%s", why->text);
    if (!st && !(st = d->ops->prepare(d, &k, 1, err)))
        st = k->ops->invoke(k, err);
    if (k)
        k->ops->free(k);
    return st;
}

static enum status run_node(struct delegate *d, const struct graph *g, struct node *n, struct err *err)
{
    struct partition part = {.delegate = d, .nodes = &n, .outputs = n->out, .n_nodes = 1, .n_outputs = n->n_out};
    struct arena scratch = {0};
    enum status st;

    if (!(part.inputs = ARENA_ARRAY(&scratch, n->n_in, struct tensor *)))
        return err_set(err, ST_NOMEM, "out of memory for %u inputs", n->n_in);
    part.n_inputs = collect_inputs(n, part.inputs);
    st = run_partition(g, &part, &scratch, err);
    arena_free(&scratch);
    return node_err_if(n, st, err);
}

enum status op_diffs_run_alone(struct op_diffs *o, struct session *alone, bool (*stop)(void), struct err *err)
{
    const struct graph *reference = session_graph(o->reference), *g = session_graph(alone);
    const struct partitioning *taken = session_partitioning(o->test);
    const struct node *ran = NULL;

    for (uint32_t i = 0; i < o->n && !(stop && stop()); i++) {
        struct op_diff *op = &o->ops[i];
        struct node *n = same_node(g, op->node);
        enum status st;

        if (op->partition < 0 || (ran != op->node && !copy_inputs(reference, n)))
            continue;
        if (ran != op->node && (st = run_node(taken->parts[op->partition].delegate, g, n, err)))
            return st;
        ran = op->node;
        op->ran_alone = true;
        diff_add(&op->alone, op->reference, &g->tensors[op->test->index], false);
    }
    return ST_OK;
}

static bool is_off(const struct diff *d, double tolerance)
{
    return diff_exceeds(d, tolerance) || (tolerance < 0 && diff_relative(d) > OP_DIFF_CLEARLY_OFF);
}

const struct op_diff *op_diffs_first_off(const struct op_diffs *o, double tolerance)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (o->ops[i].visible && is_off(&o->ops[i].diff, tolerance))
            return &o->ops[i];
    return NULL;
}

const struct op_diff *op_diffs_first_off_alone(const struct op_diffs *o, double tolerance)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (o->ops[i].ran_alone && is_off(&o->ops[i].alone, tolerance))
            return &o->ops[i];
    return NULL;
}
