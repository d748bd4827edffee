/* SPDX-License-Identifier: Apache-2.0 */
/* control_flow.c - called subgraphs as graphs of their own, for as long as their shapes are asked for. */
#include "lib/graph/control_flow.h"

#include "schema/options.h"

struct control_flow node_calls(const struct node *n)
{
    if (n->builtin == BUILTIN_IF) {
        const struct opt_if *o = n->opt;

        return (struct control_flow){{(uint32_t)o->then_subgraph_index, (uint32_t)o->else_subgraph_index}, 2, 1, false};
    }
    if (n->builtin == BUILTIN_WHILE) {
        const struct opt_while *o = n->opt;

        return (struct control_flow){{(uint32_t)o->cond_subgraph_index, (uint32_t)o->body_subgraph_index}, 2, 0, true};
    }
    return (struct control_flow){{0, 0}, 0, 0, false};
}

uint32_t node_first_call_input(const struct node *n)
{
    return n->builtin == BUILTIN_IF || n->builtin == BUILTIN_STABLEHLO_CASE; /* the first says what is called */
}

enum status control_flow_condition(const struct tensor *t, bool *out, struct err *err)
{
    if (!t || t->type != TYPE_BOOL || tensor_elems(t) != 1)
        return err_set(err, ST_BAD_MODEL, "the condition is %s, expected one BOOL", t ? TENSOR_TEXT(t) : "omitted");
    *out = *(const uint8_t *)t->data != 0;
    return ST_OK;
}

bool node_calls_asked(const struct node *n)
{
    return node_calls(n).n || n->builtin == BUILTIN_STABLEHLO_CASE || n->builtin == BUILTIN_STABLEHLO_COMPOSITE;
}

/* At least so much, whatever is in the subgraph: it is copied, and constants are folded. */
#define LEAST_COST 64

static bool pay(const struct model *m, uint32_t index, struct control_flow_budget *left, struct err *err)
{
    const uint64_t cost = LEAST_COST + (uint64_t)m->subgraphs[index].n_ops + m->subgraphs[index].n_tensors;

    if (cost > left->nodes)
        return !err_set(err, ST_UNSUPPORTED, "too many calls between subgraphs to follow all of them");
    left->nodes -= (uint32_t)cost;
    return true;
}

static enum status take_shapes(struct graph *g, struct tensor *const *in, uint32_t n_in, struct err *err)
{
    if (n_in != g->n_inputs)
        return err_set(err, ST_BAD_MODEL, "subgraph %u takes %u inputs, not %u", g->subgraph, g->n_inputs, n_in);
    for (uint32_t i = 0; i < n_in; i++) {
        enum status st;

        if (!in[i] || !g->inputs[i] || g->inputs[i]->is_const || in[i]->type != g->inputs[i]->type || in[i]->type == TYPE_STRING)
            return err_set(err, ST_BAD_MODEL, "subgraph %u takes something else as input %u", g->subgraph, i);
        if ((st = graph_resize_input(g, i, in[i]->dim, in[i]->rank, err)))
            return st;
    }
    return ST_OK;
}

static struct graph *called_graph(const struct model *m, uint32_t index, struct tensor *const *in, uint32_t n_in,
                                  struct tensor *const *given, struct control_flow_budget *left, control_flow_infer_fn infer,
                                  struct err *err)
{
    struct graph *g = NULL;

    if (index >= m->n_subgraphs) {
        err_set(err, ST_BAD_MODEL, "subgraph %u of %u", index, m->n_subgraphs);
        return NULL;
    }
    if (!pay(m, index, left, err) || graph_new(m, index, &g, err))
        return NULL;
    g->given = given;
    if (!take_shapes(g, in, n_in, err) && !infer(g, left, err))
        return g;
    graph_free(g);
    return NULL;
}

struct graph *control_flow_graph(const struct model *m, uint32_t index, struct tensor *const *in, uint32_t n_in,
                                 struct control_flow_budget *left, control_flow_infer_fn infer, struct err *err)
{
    return called_graph(m, index, in, n_in, NULL, left, infer, err);
}

/* Whether all outputs of g are known and like those: in type, and with `shapes` in shape. */
static bool returns(const struct graph *g, struct tensor *const *like, uint32_t n, bool shapes)
{
    if (g->n_outputs != n)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct tensor *t = g->outputs[i];

        if (!t || !like[i] || t->is_dynamic || t->type != like[i]->type || (shapes && !tensor_same_shape(t, like[i])))
            return false;
    }
    return true;
}

static bool set_shapes(struct node *n, struct tensor *const *from)
{
    struct err err;

    for (uint32_t i = 0; i < n->n_out; i++)
        if (tensor_set_shape(n->out[i], from[i]->dim, from[i]->rank, &err))
            return false;
    return true;
}

static bool infer_loop(const struct graph *g, struct node *n, uint32_t body, struct control_flow_budget *left,
                       control_flow_infer_fn infer)
{
    struct err err;
    struct graph *b = n->n_in == n->n_out ? control_flow_graph(g->model, body, n->in, n->n_in, left, infer, &err) : NULL;
    bool same = b && returns(b, n->in, n->n_in, true) && returns(b, n->out, n->n_out, false) && set_shapes(n, n->in);

    graph_free(b);
    return same;
}

static bool infer_branches(const struct graph *g, struct node *n, const struct control_flow *c, struct control_flow_budget *left,
                           control_flow_infer_fn infer)
{
    struct err err;
    struct graph *b[2] = {NULL, NULL};
    bool same = n->n_in >= c->first;

    for (uint32_t i = 0; i < 2 && same; i++) {
        b[i] = control_flow_graph(g->model, c->subgraph[i], n->in + c->first, n->n_in - c->first, left, infer, &err);
        same = b[i] && returns(b[i], n->out, n->n_out, false);
    }
    same = same && returns(b[1], b[0]->outputs, n->n_out, true) && set_shapes(n, b[0]->outputs);
    graph_free(b[0]);
    graph_free(b[1]);
    return same;
}

static bool infer_composite(const struct graph *g, struct node *n, struct control_flow_budget *left, control_flow_infer_fn infer)
{
    const struct opt_stablehlo_composite *o = n->opt;
    struct err err;

    n->called = called_graph(g->model, (uint32_t)o->subgraph_index, n->in, n->n_in, n->in, left, infer, &err);
    if (n->called && returns(n->called, n->out, n->n_out, false) && set_shapes(n, n->called->outputs))
        return true;
    graph_free(n->called);
    n->called = NULL;
    return false;
}

bool control_flow_infer(const struct graph *g, struct node *n, struct control_flow_budget *left, control_flow_infer_fn infer)
{
    const struct control_flow c = node_calls(n);

    if (n->builtin == BUILTIN_STABLEHLO_COMPOSITE)
        return infer_composite(g, n, left, infer);
    if (!c.n)
        return false;
    return c.is_loop ? infer_loop(g, n, c.subgraph[1], left, infer) : infer_branches(g, n, &c, left, infer);
}
