/* SPDX-License-Identifier: Apache-2.0 */
/* outline.c - dispatches of a partition, and those among them that only copy. */
#include "lib/gl/compile/outline.h"

enum status gl_outline(const struct gl_recipe *how, const struct graph *g, const struct partition *p, struct delegate_outline *out,
                       struct err *err)
{
    struct gl_tried tried = {0};
    struct gl_draft draft = {0};
    const struct node *stuck;
    enum status st = gl_generate(how, g, p, &tried, &draft, &stuck, err);

    out->dispatches = out->copies = out->transfers = 0;
    for (uint32_t i = 0; i < draft.n_dispatches && !st; i++) {
        const struct gl_dispatch *w = &draft.dispatches[i];
        const struct ir_op *op = w->shader.op;

        out->transfers += !op;
        out->dispatches += op != NULL;
        if (!*w->why_copy)
            continue;
        out->copies++;
        if (out->see_copy)
            out->see_copy(out->arg, op->n_nodes ? op->nodes[0] : NULL, w->label, w->why_copy);
    }
    arena_free(&draft.arena);
    arena_free(&tried.arena);
    return st;
}
