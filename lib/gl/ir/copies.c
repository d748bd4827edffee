/* SPDX-License-Identifier: Apache-2.0 */
/* copies.c - reasons of what the passes have left of reshapes, joins, parts and the like. */
#include "lib/gl/ir/copies.h"

#include "lib/gl/ir/fold.h"

static bool is_copy(const struct ir_op *op)
{
    return !op->epilogue && !op->out2 && (op->kind->moves || op->kind->role == IR_MAP);
}

static bool has_constant(const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->n_in; i++)
        if (op->in[i]->data)
            return true;
    return false;
}

static const char *reason_of_join(const struct ir_op *op)
{
    for (uint32_t i = 0; i + 1 < op->n_in; i++)
        if (op->in[i]->shape.c != op->out->shape.c && op->in[i]->shape.c % 4)
            return "its parts are no whole slices of four channels";
    for (uint32_t i = 0; i < op->n_in; i++)
        if (op->in[i]->view.of)
            return "a part lies in another value already";
    return "a part is stored in another way than the whole, or the whole is no memory to lie in";
}

const char *gl_why_copy(const struct ir_op *op)
{
    if (!is_copy(op))
        return "";
    if (has_constant(op))
        return "it reads a constant, which has no memory to lie in";
    switch (op->kind->role) {
    case IR_RESHAPE:
        return ir_same_order(op->in[0]->shape, op->out->shape) ? "what it reads is part of another value"
                                                               : "the order of the slices of four channels changes";
    case IR_PAD: return "its border is read by what takes none of its own, or more than once";
    case IR_CONCATENATION: return reason_of_join(op);
    case IR_MAP: return "elements are repeated";
    default: break;
    }
    if (ir_traits(op)->is_box && ir_traits(op)->is_box(op, &(struct ir_shape){0}))
        return "the part begins or ends within a slice of four channels, or its whole is no memory to lie in";
    return "elements change their order";
}
