/* SPDX-License-Identifier: Apache-2.0 */
/* outline.c - dispatches of a partition, and those among them that only copy. */
#include "outline.h"

#include <string.h>

#include "fold.h"

bool gl_is_copy(const struct ir_op *op)
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

const char *gl_copy_reason(const struct ir_op *op)
{
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

enum status gl_outline(const struct gl_recipe *how, const struct graph *g, const struct partition *p, struct delegate_outline *out,
                       struct err *err)
{
    struct gl_tried tried = {0};
    struct arena arena = {0};
    struct gl_draft draft = {.arena = &arena};
    const struct node *stuck;
    enum status st = gl_generate(how, g, p, &tried, &draft, &stuck, err);

    out->dispatches = out->copies = out->transfers = 0;
    for (uint32_t i = 0; i < draft.n_works && !st; i++) {
        const struct ir_op *op = draft.works[i].shader.op;

        out->transfers += !op;
        out->dispatches += op != NULL;
        if (!op || !gl_is_copy(op))
            continue;
        out->copies++;
        if (out->see_copy)
            out->see_copy(out->arg, op->n_nodes ? op->nodes[0] : NULL, draft.works[i].label, gl_copy_reason(op));
    }
    arena_free(&arena);
    arena_free(&tried.arena);
    return st;
}
