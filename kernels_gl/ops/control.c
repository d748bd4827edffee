/* SPDX-License-Identifier: Apache-2.0 */
/* control.c - STABLEHLO_COMPOSITE: replaced by the nodes of its decomposition.
 *
 * They are lowered like the partition's nodes, so that neighbouring operations fuse with them. Their tensors belong to a graph of
 * their own (node.called), whose inputs and outputs have the values of the composite's. */
#include "kernels_gl/common/data_movement.h"

#include "lib/gl/lower/exact.h"
#include "lib/gl/lower/floats.h"
#include "lib/gl/lower/integers.h"

static bool stays_real(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && (ir_is_quantized(n->in[i]) || n->in[i]->is_variable || n->in[i]->type == TYPE_RESOURCE))
            return false;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && ir_is_quantized(n->out[i]))
            return false;
    return true;
}

static bool has_long(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->type == TYPE_INT64 && !n->in[i]->is_const)
            return true;
    return n->n_out && n->out[0] && n->out[0]->type == TYPE_INT64;
}

static bool accept_node(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (n->folded)
        return true;
    if (has_long(n))
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "integers of 64 bits");
    if (!stays_real(n))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "integers that stand for reals, or a variable");
    return gl_accept(lim, GPU_QUANT_NONE, n->graph, n, why);
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct reason inner;

    if (!n->called)
        return reason_set(why, REASON_DYNAMIC_SHAPE, "the shapes of its decomposition are known only while running");
    if (n->n_in != n->called->n_inputs || n->n_out != n->called->n_outputs)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "it has %u inputs and %u outputs, its decomposition %u and %u",
                          n->n_in, n->n_out, n->called->n_inputs, n->called->n_outputs);
    for (uint32_t i = 0; i < n->called->n_nodes; i++) {
        const struct node *one = &n->called->nodes[i];

        if (!accept_node(lim, one, &inner))
            return reason_set(why, inner.code, "node %u %.40s of its decomposition: %s", one->index, one->name, inner.text);
    }
    return true;
}

/* Tensors of the decomposition that are the composite's own. An output that is an input or constant, too, or that is there twice,
 * is copied at the end. */
static bool begin(struct ir *ir, const struct node *n, struct ir_value **inner)
{
    const struct graph *g = n->called;

    for (uint32_t i = 0; i < n->n_in; i++)
        if (!g->inputs[i]->is_const && !(inner[g->inputs[i]->index] = ir_in(ir, n, i)))
            return false;
    for (uint32_t i = 0; i < n->n_out; i++) {
        struct ir_value **v = &inner[g->outputs[i]->index];

        if (!g->outputs[i]->is_const && !*v && !(*v = ir_out(ir, n, i)))
            return false;
    }
    return true;
}

/* `y`: the composite's outputs. */
static bool end(struct ir *ir, const struct node *n, struct ir_value *const *y)
{
    for (uint32_t i = 0; i < n->n_out; i++) {
        struct ir_value *v = ir_of_tensor(ir, n->called->outputs[i]);

        if (!v || (v != y[i] && !ir_copy(ir, v, y[i])))
            return false;
    }
    return true;
}

/* What is made of its own types is rounded and wraps as outside. */
static enum status lower_inner(struct ir *ir, const struct node *n, struct err *err)
{
    const uint32_t first = ir->n_ops;
    enum status st = node_err_if(n, gl_kernel_of(n, GPU_QUANT_NONE)->lower(ir, n, err), err);

    return st || (st = gl_integers_wrap(ir, n, first, err)) ? st : gl_floats_round(ir, n, first, err);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct graph *g = n->called;
    struct ir_value **outer = ir->by_tensor, **inner = ARENA_ARRAY(ir->arena, g->n_tensors, struct ir_value *),
                    **y = ARENA_ARRAY(ir->arena, n->n_out, struct ir_value *);
    const bool *full_tensors = ir->full_tensors;
    enum status st = ST_OK;

    if (!inner || !y || !begin(ir, n, inner))
        return ir_nomem(err);
    for (uint32_t i = 0; i < n->n_out; i++)
        if (!(y[i] = ir_out(ir, n, i)))
            return ir_nomem(err);
    ir->by_tensor = inner;
    ir->full_tensors = NULL;
    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        st = g->nodes[i].folded ? ST_OK : lower_inner(ir, &g->nodes[i], err);
    if (!st && !end(ir, n, y))
        st = ir_nomem(err);
    ir->by_tensor = outer;
    ir->full_tensors = full_tensors;
    return st;
}

const struct gl_kernel gl_stablehlo_composite = {
    .max_version = 1, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = accept, .lower = lower};
