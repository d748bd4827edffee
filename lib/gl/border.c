/* SPDX-License-Identifier: Apache-2.0 */
/* border.c - what is only reshaped on its way in or out crosses the border as what it is reshaped to or from.
 *
 * Transfers go through the dense order of elements, which a reshape keeps, and in which the operands of a join along the first axis
 * that is longer than 1 lie one after the other, unless the CPU brings what is joined there itself. Only what enters or leaves the
 * graph: other partitions would have to take a value under another shape for what stays on the device. */
#include "fold.h"
#include "passes.h"

static bool is_among(const struct tensor *t, struct tensor *const *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == t)
            return !t->is_variable && !ir_is_words(t);
    return false;
}

static bool is_reshape(const struct ir_op *op, const struct ir_value *x)
{
    return op && op->kind->role == IR_RESHAPE && !op->epilogue && !x->data && x->type == op->out->type;
}

/* What v is reshaped from, which nobody else asks for; else v. */
static struct ir_value *before(struct ir_value *v)
{
    while (v->n_uses == 1 && is_reshape(v->producer, v->producer ? v->producer->in[0] : NULL))
        v = v->producer->in[0];
    return v;
}

static bool is_dense_join(const struct ir_op *op, const struct gl_limits *lim)
{
    int axis = 0;

    if (!op || op->kind->role != IR_CONCATENATION || op->epilogue || op->n_in > IR_MAX_PARTS || op->n_in >= lim->storage_blocks)
        return false;
    while (axis < 3 && ir_dim(op->out->shape, axis) == 1)
        axis++;
    for (uint32_t i = 0; i < op->n_in; i++)
        for (int k = 0; k < 4; k++)
            if (op->in[i]->data || op->in[i]->type != op->out->type ||
                (k != axis && ir_dim(op->in[i]->shape, k) != ir_dim(op->out->shape, k)))
                return false;
    return true;
}

/* Reshaping one to the other copies. */
static bool copies(const struct ir_value *from, const struct ir_value *to)
{
    return from != to && !ir_same_order(from->shape, to->shape);
}

/* What y consists of without the copies that are only for it; itself where there are none. */
static struct ir_parts parts_of(struct ir_value *y, bool words, const struct gl_limits *lim)
{
    struct ir_parts out = {{before(y)}, 1}, joined = {.n = 0};
    const struct ir_op *join = out.part[0]->producer;
    bool gains = copies(out.part[0], y);

    if (words && !lim->policy.host_layout && out.part[0]->n_uses == 1 && is_dense_join(join, lim)) {
        for (uint32_t i = 0; i < join->n_in; i++) {
            joined.part[joined.n++] = before(join->in[i]);
            gains |= copies(joined.part[i], join->in[i]);
        }
        out = joined;
    }
    return gains ? out : (struct ir_parts){{y}, 1};
}

/* Takes out what made v of `until`. */
static void drop(struct ir *ir, const struct ir_value *v, const struct ir_value *until)
{
    for (; v != until; v = v->producer->in[0])
        ir_remove(ir, v->producer);
}

static void split_output(struct ir *ir, struct ir_value *y, const struct ir_parts *parts)
{
    struct ir_value *whole = parts->n > 1 ? before(y) : parts->part[0];

    y->is_output = false;
    drop(ir, y, whole);
    for (uint32_t i = 0; i < parts->n; i++) {
        if (parts->n > 1)
            drop(ir, whole->producer->in[i], parts->part[i]);
        parts->part[i]->is_output = true;
    }
    if (parts->n > 1)
        ir_remove(ir, whole->producer);
}

/* The tensor leaves the graph, and no other output is the same value. */
static bool leaves(const struct ir *ir, uint32_t i)
{
    for (uint32_t k = 0; k < ir->n_outputs; k++)
        if (k != i && ir->outputs[k] == ir->outputs[i])
            return false;
    return is_among(ir->output_tensors[i], ir->graph->outputs, ir->graph->n_outputs);
}

/* The only reader of an input, a reshape that copies; NULL: it is none. */
static struct ir_op *reshape_of(const struct ir *ir, const struct ir_value *x)
{
    for (uint32_t i = 0; i < ir->n_ops && x->n_uses == 1 && !x->is_output; i++)
        if (is_reshape(ir->ops[i], x) && ir->ops[i]->in[0] == x && copies(x, ir->ops[i]->out))
            return ir->ops[i];
    return NULL;
}

enum status gl_border_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    const bool fixed = !lim->policy.any_batch; /* with another batch other axes are 1 */

    if (!(ir->parts = ARENA_ARRAY(ir->arena, ir->n_outputs, struct ir_parts)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < ir->n_outputs; i++) {
        struct ir_value *y = ir->outputs[i];

        ir->parts[i] = (struct ir_parts){{y}, 1};
        if (!fixed || !leaves(ir, i))
            continue;
        ir->parts[i] = parts_of(y, type_bits(ir->output_tensors[i]->type) == 32, lim);
        if (ir->parts[i].n > 1 || ir->parts[i].part[0] != y)
            split_output(ir, y, &ir->parts[i]);
    }
    for (uint32_t i = 0; i < ir->n_inputs && fixed; i++) {
        struct ir_value *x = ir->inputs[i];
        struct ir_op *op = is_among(x->tensor, ir->graph->inputs, ir->graph->n_inputs) ? reshape_of(ir, x) : NULL;

        if (!op)
            continue;
        x->is_input = false;
        ir->inputs[i] = op->out;
        op->out->is_input = true;
        ir_remove(ir, op);
    }
    return ST_OK;
}
