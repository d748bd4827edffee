/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph.c - worlds of made-up nodes, drawn or built node by node. */
#include "lib/testing/test_graph.h"

static const struct cpu_kernel plain_kernel = {0}, stateful_kernel = {.stateful = true};
const struct op plain_op = {"PLAIN", 0, 1, &plain_kernel, NULL}, stateful_op = {"STATEFUL", 1, 1, &stateful_kernel, NULL};

static enum status world_claim(struct delegate *d, const struct graph *g, struct claim *claims, struct err *err)
{
    struct world *w = (struct world *)d;

    (void)err;
    assert_ptr_equal(g, w->graph ? w->graph : &w->g);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        if (claims[i].barred || claims[i].owner)
            continue;
        w->asked[i]++;
        if (w->takes[i])
            claims[i].owner = d;
        else
            reason_set(&claims[i].why, REASON_UNSUPPORTED_OPERATOR, "node %u is refused", i);
    }
    return ST_OK;
}

static const struct delegate_ops world_ops = {.claim = world_claim};

void world_init(struct world *w)
{
    *w = (struct world){.head = {.ops = &world_ops, .device = "none"}};
    w->g.tensors = w->t;
    w->g.nodes = w->n;
    w->g.inputs = w->inputs;
    w->g.outputs = w->outputs;
    for (uint32_t i = 0; i < MAX_TENSORS; i++)
        w->t[i] = (struct tensor){.name = "", .index = i, .type = TYPE_FLOAT32};
    w->inputs[0] = &w->t[0];
    w->inputs[1] = &w->t[1];
    w->g.n_inputs = 2;
    w->t[2].is_const = true;
    w->t[3].is_variable = true;
    w->g.n_tensors = 4;
}

uint32_t add_node(struct world *w, enum kind kind, bool takes, const uint32_t *in, uint32_t n_in)
{
    uint32_t i = w->g.n_nodes++, made = w->g.n_tensors++;
    struct node *n = &w->n[i];

    *n = (struct node){.index = i, .name = "N", .in = w->in[i], .out = w->out[i], .n_in = n_in, .n_out = 1};
    n->op = kind == UNKNOWN ? NULL : kind == STATEFUL ? &stateful_op : &plain_op;
    n->folded = kind == FOLDED;
    n->dynamic = kind == DYNAMIC;
    for (uint32_t k = 0; k < n_in; k++)
        w->in[i][k] = &w->t[in[k]];
    if (kind == READS_VARIABLE)
        w->in[i][n->n_in++] = &w->t[3];
    w->out[i][0] = &w->t[made];
    w->t[made].is_const = kind == FOLDED;
    w->takes[i] = takes;
    return made;
}

void add_output(struct world *w, uint32_t tensor)
{
    w->outputs[w->g.n_outputs++] = &w->t[tensor];
}

void random_world(struct world *w, uint64_t *seed)
{
    uint32_t n = 1 + (uint32_t)(test_random(seed) % MAX_NODES), rare = 3 + (uint32_t)(test_random(seed) % 10);

    world_init(w);
    for (uint32_t i = 0; i < n; i++) {
        enum kind kind = test_random(seed) % rare ? PLAIN : (enum kind)(test_random(seed) % KINDS);
        uint32_t in[3], n_in = 1 + (uint32_t)(test_random(seed) % 3), made;

        for (uint32_t k = 0; k < n_in; k++)
            in[k] = (uint32_t)(test_random(seed) % w->g.n_tensors);
        for (uint32_t k = 0; k < n_in; k++)
            if (kind == FOLDED || in[k] == 3)
                in[k] = 2;
        made = add_node(w, kind, test_random(seed) % 2, in, n_in);
        if (test_random(seed) % 4 == 0) { /* a second output */
            w->out[i][w->n[i].n_out++] = &w->t[w->g.n_tensors];
            w->t[w->g.n_tensors++].is_const = kind == FOLDED;
        }
        if (test_random(seed) % 4 == 0)
            add_output(w, made);
    }
}

uint32_t nodes_before(const struct world *w, uint32_t i)
{
    uint32_t set = 0;

    for (uint32_t j = 0; j < i; j++) {
        for (uint32_t k = 0; k < w->n[i].n_in; k++)
            for (uint32_t o = 0; o < w->n[j].n_out; o++)
                if (w->in[i][k] == w->out[j][o])
                    set |= 1u << j;
        if (node_is_stateful(&w->n[i]) && node_is_stateful(&w->n[j]))
            set |= 1u << j;
    }
    return set;
}
