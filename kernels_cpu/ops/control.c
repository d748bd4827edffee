/* SPDX-License-Identifier: Apache-2.0 */
/* control.c - operators that run another subgraph: IF, WHILE, CALL_ONCE, STABLEHLO_CASE, STABLEHLO_COMPOSITE.
 *
 * Outputs are dynamic unless lib/graph/control_flow.h can tell their shapes, which a subgraph determines only by running. CALL_ONCE
 * has none. */
#include "lib/graph/control_flow.h"
#include "lib/graph/macs.h"
#include "lib/session/subgraph.h"

static enum status later_shape(struct node *n, struct err *err)
{
    (void)n, (void)err;
    return ST_LATER;
}

static enum status call_once_shape(struct node *n, struct err *err)
{
    return n->n_out ? later_shape(n, err) : ST_OK;
}

static enum status if_run(struct cpu_call *c, struct err *err)
{
    const struct opt_if *o = c->node->opt;
    bool yes = false;
    enum status st = control_flow_condition(node_in(c->node, 0), &yes, err);

    return st ? st : subgraph_call(c, yes ? o->then_subgraph_index : o->else_subgraph_index, err);
}

static enum status while_run(struct cpu_call *c, struct err *err)
{
    const struct opt_while *o = c->node->opt;

    return subgraph_loop(c, o->cond_subgraph_index, o->body_subgraph_index, err);
}

static enum status call_once_run(struct cpu_call *c, struct err *err)
{
    int64_t index = ((const struct opt_call_once *)c->node->opt)->init_subgraph_index;
    struct session *sub;
    enum status st = subgraph_session(c, index, NULL, 0, &sub, err);

    if (st || *subgraph_called_once(c, index))
        return st;
    st = subgraph_run(sub, NULL, 0, NULL, NULL, err);
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
    return subgraph_call(c, o->branch_subgraph_indices[branch], err);
}

static enum status stablehlo_composite_run(struct cpu_call *c, struct err *err)
{
    return subgraph_call(c, ((const struct opt_stablehlo_composite *)c->node->opt)->subgraph_index, err);
}

#define CONTROL(name, shape_)                                                                                                      \
    const struct cpu_kernel cpu_##name = {.shape = shape_, .run = name##_run, .macs = macs_unknown, .stateful = true}

CONTROL(if, later_shape);
CONTROL(while, later_shape);
CONTROL(call_once, call_once_shape);
CONTROL(stablehlo_case, later_shape);
CONTROL(stablehlo_composite, later_shape);
