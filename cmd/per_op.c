/* per_op.c - following the difference through the model, op by op where both sides show their tensors. */
#include "inference_diff.h"

#define CLEARLY_OFF 1e-3

/* A delegate keeps what lies inside its partitions to itself; their outputs come back. */
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
        if (n->out[i] && !n->folded && is_visible(p, node, n->out[i]))
            c->ops[c->n_ops++] = (struct op_diff){.node = n,
                                                  .reference = &reference->tensors[n->out[i]->index],
                                                  .test = n->out[i],
                                                  .partition = p ? p->part_of[node] : -1};
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
        if (c->ops[i].reference->data && c->ops[i].test->data)
            diff_add(&c->ops[i].diff, c->ops[i].reference, c->ops[i].test, false);
}

const struct op_diff *per_op_first_off(const struct comparison *c)
{
    for (uint32_t i = 0; i < c->n_ops; i++) {
        const struct diff *d = &c->ops[i].diff;

        if (diff_exceeds(d, c->flags.tolerance) || (c->flags.tolerance < 0 && diff_relative(d) > CLEARLY_OFF))
            return &c->ops[i];
    }
    return NULL;
}
