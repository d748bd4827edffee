/* SPDX-License-Identifier: Apache-2.0 */
/* per_op.c - following the difference through the model, op by op.
 *
 * A delegate keeps what lies inside its partitions to itself, so its nodes are also run one at a time: each as a partition of
 * its own in a session whose tensors all lie in host memory, on the inputs that the reference had. */
#include <string.h>

#include "inference_diff.h"

#define CLEARLY_OFF 1e-3

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

static void add_node(struct comparison *c, uint32_t node)
{
    const struct graph *reference = session_graph(c->reference.session), *test = session_graph(c->test.session);
    const struct partitioning *p = session_partitioning(c->test.session);
    const struct node *n = &test->nodes[node];

    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && !n->folded)
            c->ops[c->n_ops++] = (struct op_diff){.node = n,
                                                  .reference = &reference->tensors[n->out[i]->index],
                                                  .test = n->out[i],
                                                  .partition = p ? p->part_of[node] : -1,
                                                  .visible = is_visible(p, node, n->out[i])};
}

enum status per_op_init(struct comparison *c, struct err *err)
{
    const struct graph *g = session_graph(c->test.session);
    size_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += g->nodes[i].n_out;
    if (!(c->ops = ARENA_ARRAY(&c->arena, n, struct op_diff)))
        return err_set(err, ST_NOMEM, "no memory to compare %zu tensors", n);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        add_node(c, i);
    return ST_OK;
}

void per_op_compare(struct comparison *c)
{
    for (uint32_t i = 0; i < c->n_ops; i++)
        if (c->ops[i].visible && c->ops[i].reference->data && c->ops[i].test->data)
            diff_add(&c->ops[i].diff, c->ops[i].reference, c->ops[i].test, false);
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

static enum status run_node(const struct comparison *c, struct node *n, struct err *err)
{
    const struct delegate_ops *ops = c->tool.delegates.opened->ops;
    struct partition part = {.nodes = &n, .outputs = n->out, .n_nodes = 1, .n_outputs = n->n_out};
    struct delegate_kernel *k = NULL;
    struct arena scratch = {0};
    enum status st;

    if (!(part.inputs = ARENA_ARRAY(&scratch, n->n_in, struct tensor *)))
        return err_set(err, ST_NOMEM, "no memory for %u inputs", n->n_in);
    part.n_inputs = collect_inputs(n, part.inputs);
    if (!(st = ops->compile(c->tool.delegates.opened, session_graph(c->alone), &part, &k, err)))
        st = ops->invoke(k, err);
    ops->kernel_free(k);
    arena_free(&scratch);
    return node_err_if(n, st, err);
}

enum status per_op_run_alone(struct comparison *c, struct err *err)
{
    const struct node *ran = NULL;

    for (uint32_t i = 0; i < c->n_ops && c->alone && !interrupted(); i++) {
        struct op_diff *op = &c->ops[i];
        struct node *n = same_node(session_graph(c->alone), op->node);
        enum status st;

        if (op->partition < 0 || (ran != op->node && !copy_inputs(session_graph(c->reference.session), n)))
            continue;
        if (ran != op->node && (st = run_node(c, n, err)))
            return st;
        ran = op->node;
        op->ran_alone = true;
        diff_add(&op->alone, op->reference, &session_graph(c->alone)->tensors[op->test->index], false);
    }
    return ST_OK;
}

static bool is_off(const struct comparison *c, const struct diff *d)
{
    return diff_exceeds(d, c->flags.tolerance) || (c->flags.tolerance < 0 && diff_relative(d) > CLEARLY_OFF);
}

const struct op_diff *per_op_first_off(const struct comparison *c)
{
    for (uint32_t i = 0; i < c->n_ops; i++)
        if (c->ops[i].visible && is_off(c, &c->ops[i].diff))
            return &c->ops[i];
    return NULL;
}

const struct op_diff *per_op_first_off_alone(const struct comparison *c)
{
    for (uint32_t i = 0; i < c->n_ops; i++)
        if (c->ops[i].ran_alone && is_off(c, &c->ops[i].alone))
            return &c->ops[i];
    return NULL;
}
