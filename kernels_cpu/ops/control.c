/* SPDX-License-Identifier: Apache-2.0 */
/* control.c - operators that run another subgraph: IF, WHILE, CALL_ONCE, STABLEHLO_CASE, STABLEHLO_COMPOSITE.
 *
 * What a subgraph returns is known only when it has run, so outputs are dynamic, but where lib/calls.h can tell. CALL_ONCE has
 * none. */
#include "../../lib/macs.h"
#include "../../lib/session.h"
#include "../../lib/subgraph.h"

#include <string.h>

static enum status later_shape(struct node *n, struct err *err)
{
    (void)n;
    (void)err;
    return ST_LATER;
}

static enum status call_once_shape(struct node *n, struct err *err)
{
    return n->n_out ? later_shape(n, err) : ST_OK;
}

/* Runs a subgraph on in[n_in] and takes its outputs. */
static enum status call(struct cpu_call *c, int64_t index, struct tensor *const *in, uint32_t n_in, struct err *err)
{
    struct session *sub;
    enum status st = subgraph_session(c, index, &sub, err);

    if (!st)
        st = subgraph_run(sub, in, n_in, err);
    return st ? st : subgraph_outputs(c, sub, err);
}

/* A condition: one BOOL. */
static enum status truth(const struct tensor *t, bool *out, struct err *err)
{
    if (!t || t->type != TYPE_BOOL || tensor_elems(t) != 1)
        return err_set(err, ST_BAD_MODEL, "the condition is %s, expected one BOOL", t ? TENSOR_TEXT(t) : "omitted");
    *out = *(const uint8_t *)t->data != 0;
    return ST_OK;
}

static enum status if_run(struct cpu_call *c, struct err *err)
{
    const struct opt_if *o = c->node->opt;
    const struct node *n = c->node;
    bool yes = false;
    enum status st = truth(node_in(n, 0), &yes, err);

    return st ? st : call(c, yes ? o->then_subgraph_index : o->else_subgraph_index, n->in + 1, n->n_in - 1, err);
}

/* The values live in the node's outputs, so that a body may return its inputs in any order. */
static enum status while_run(struct cpu_call *c, struct err *err)
{
    const struct opt_while *o = c->node->opt;
    const struct node *n = c->node;
    struct session *test, *work;
    enum status st;
    bool more = false;

    if (n->n_in != n->n_out)
        return err_set(err, ST_BAD_MODEL, "%u inputs and %u outputs must be as many", n->n_in, n->n_out);
    if ((st = subgraph_session(c, o->cond_subgraph_index, &test, err)) ||
        (st = subgraph_session(c, o->body_subgraph_index, &work, err)))
        return st;
    for (uint32_t i = 0; i < n->n_in; i++) {
        struct tensor *to = node_out(n, i), *from = node_in(n, i);

        if (!to || !from || to->type != from->type)
            return err_set(err, ST_BAD_MODEL, "input %u and output %u differ in type", i, i);
        if ((st = cpu_resize_output(c, i, from->dim, from->rank, from->bytes, err)))
            return st;
        if (from->bytes)
            memcpy(to->data, from->data, from->bytes);
    }
    for (;;) {
        if ((st = subgraph_go_on(c, err)) || (st = subgraph_run(test, n->out, n->n_out, err)))
            return st;
        if (session_n_outputs(test) != 1)
            return err_set(err, ST_BAD_MODEL, "the condition subgraph has %u outputs, expected 1", session_n_outputs(test));
        if ((st = truth(session_output(test, 0), &more, err)) || !more)
            return st;
        if ((st = subgraph_run(work, n->out, n->n_out, err)) || (st = subgraph_outputs(c, work, err)))
            return st;
    }
}

static enum status call_once_run(struct cpu_call *c, struct err *err)
{
    int64_t index = ((const struct opt_call_once *)c->node->opt)->init_subgraph_index;
    struct session *sub;
    enum status st = subgraph_session(c, index, &sub, err);

    if (st || *subgraph_called_once(c, index))
        return st;
    st = subgraph_run(sub, NULL, 0, err);
    *subgraph_called_once(c, index) = !st;
    return st;
}

/* An index of no branch takes the last one. */
static enum status stablehlo_case_run(struct cpu_call *c, struct err *err)
{
    const struct opt_stablehlo_case *o = c->node->opt;
    const struct node *n = c->node;
    const struct tensor *index = node_in(n, 0);
    int64_t branch;

    if (!index || index->type != TYPE_INT32 || tensor_elems(index) != 1)
        return err_set(err, ST_BAD_MODEL, "the branch is chosen by %s, expected one INT32", index ? TENSOR_TEXT(index) : "nothing");
    if (!o->num_branches)
        return err_set(err, ST_BAD_MODEL, "there are no branches");
    branch = tensor_int(index, 0);
    if (branch < 0 || branch >= o->num_branches)
        branch = o->num_branches - 1;
    return call(c, o->branch_subgraph_indices[branch], n->in + 1, n->n_in - 1, err);
}

static enum status stablehlo_composite_run(struct cpu_call *c, struct err *err)
{
    return call(c, ((const struct opt_stablehlo_composite *)c->node->opt)->subgraph_index, c->node->in, c->node->n_in, err);
}

#define CONTROL(name, shape_)                                                                                                      \
    const struct cpu_kernel cpu_##name = {.shape = shape_, .run = name##_run, .macs = macs_unknown, .stateful = true}

CONTROL(if, later_shape);
CONTROL(while, later_shape);
CONTROL(call_once, call_once_shape);
CONTROL(stablehlo_case, later_shape);
CONTROL(stablehlo_composite, later_shape);
