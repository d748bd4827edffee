/* SPDX-License-Identifier: Apache-2.0 */
/* boundary_reshapes.c - what is only reshaped on its way in or out crosses the border as what it is reshaped to or from, and what
 * is dealt out to blocks of pixels on its way out as what is dealt out.
 *
 * Transfers go through the dense order of elements, which a reshape keeps, and in which the operands of a join along the first axis
 * that is longer than 1 lie one after the other. Only what enters or leaves the graph: other partitions would have to take a value
 * under another shape for what stays on the device. */
#include "lib/gl/ir/fold.h"
#include "lib/gl/passes/passes.h"

/* Told once of all, as partitions may have thousands of inputs and outputs. */
struct border {
    struct ir *ir;
    uint32_t *outputs;      /* [values] how many of the partition's that is */
    struct ir_op **reshape; /* [values] that reads it, the last one */
};

/* Of a list of the graph's, which nodes that are judged each by itself have not to walk unless something is to be gained. */
static bool is_plain_among(const struct tensor *t, struct tensor *const *list, uint32_t n)
{
    return tensor_is_among(t, list, n) && !t->is_variable && !ir_is_int64(t);
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

/* What is dealt out to blocks of pixels in v, for nobody else; NULL: nothing is, or whole slices are, which whoever makes them may
 * store there (views.c). */
static struct ir_value *dealt_out(const struct ir_value *v, struct ir_blocks *blocks)
{
    const struct ir_op *op = v->producer;
    struct ir_value *x = op && op->n_in ? op->in[0] : NULL;

    return x && v->n_uses == 1 && ir_traits(op)->blocks && !op->epilogue && !x->data && x->type == v->type && v->shape.c % 4 &&
                   ir_traits(op)->blocks(op, blocks)
               ? x
               : NULL;
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
    struct ir_parts out = {{before(y)}, 1}, joined = {.n = 0}, dealt = {.n = 1};
    const struct ir_op *join = out.part[0]->producer;
    bool gains = copies(out.part[0], y);

    if (words && (dealt.part[0] = dealt_out(out.part[0], &dealt.blocks)))
        return dealt;
    if (words && out.part[0]->n_uses == 1 && is_dense_join(join, lim)) {
        for (uint32_t i = 0; i < join->n_in; i++) {
            joined.part[joined.n++] = before(join->in[i]);
            gains |= copies(joined.part[i], join->in[i]);
        }
        out = joined;
    }
    return gains ? out : (struct ir_parts){{y}, 1};
}

static void take_out(struct ir *ir, struct ir_op *op)
{
    ir->ops[op->at] = NULL;
}

/* Takes out what made v of `until`. */
static void drop(struct ir *ir, const struct ir_value *v, const struct ir_value *until)
{
    for (; v != until; v = v->producer->in[0])
        take_out(ir, v->producer);
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
        take_out(ir, whole->producer);
}

/* The tensor leaves the graph, and no other output is the same value. */
static bool leaves(const struct border *b, uint32_t i)
{
    const struct graph *g = b->ir->graph;

    return b->outputs[b->ir->outputs[i]->id] == 1 && is_plain_among(b->ir->output_tensors[i], g->outputs, g->n_outputs);
}

/* The only reader of an input of the graph, a reshape that copies; NULL: it is none. */
static struct ir_op *reshape_of(const struct border *b, const struct ir_value *x)
{
    struct ir_op *op = x->n_uses == 1 && !x->is_output ? b->reshape[x->id] : NULL;
    const struct graph *g = b->ir->graph;

    return op && b->ir->ops[op->at] == op && copies(x, op->out) && is_plain_among(x->tensor, g->inputs, g->n_inputs) ? op : NULL;
}

static bool look_at_all(struct border *b)
{
    struct ir *ir = b->ir;

    b->outputs = ARENA_ARRAY(ir->arena, ir->n_values, uint32_t);
    b->reshape = ARENA_ARRAY(ir->arena, ir->n_values, struct ir_op *);
    if (!b->outputs || !b->reshape)
        return false;
    for (uint32_t i = 0; i < ir->n_outputs; i++)
        b->outputs[ir->outputs[i]->id]++;
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        ir->ops[i]->at = i;
        if (ir->ops[i]->n_in && is_reshape(ir->ops[i], ir->ops[i]->in[0]))
            b->reshape[ir->ops[i]->in[0]->id] = ir->ops[i];
    }
    return true;
}

enum status gl_boundary_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    const bool fixed = !lim->policy.any_batch; /* with another batch other axes are 1 */
    struct border b = {.ir = ir};

    if (!(ir->parts = ARENA_ARRAY(ir->arena, ir->n_outputs, struct ir_parts)) || !look_at_all(&b))
        return ir_nomem(err);
    for (uint32_t i = 0; i < ir->n_outputs; i++) {
        struct ir_value *y = ir->outputs[i];
        const struct tensor *t = ir->output_tensors[i];
        const struct ir_parts parts = parts_of(y, t && type_bits(t->type) == 32, lim);

        ir->parts[i] = (struct ir_parts){{y}, 1};
        if (!fixed || (parts.n == 1 && parts.part[0] == y) || !leaves(&b, i))
            continue;
        ir->parts[i] = parts;
        split_output(ir, y, &ir->parts[i]);
    }
    for (uint32_t i = 0; i < ir->n_inputs && fixed; i++) {
        struct ir_value *x = ir->inputs[i];
        struct ir_op *op = reshape_of(&b, x);

        if (!op)
            continue;
        x->is_input = false;
        ir->inputs[i] = op->out;
        op->out->is_input = true;
        take_out(ir, op);
    }
    ir_close_gaps(ir);
    return ST_OK;
}
