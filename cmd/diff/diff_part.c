/* SPDX-License-Identifier: Apache-2.0 */
/* diff_part.c - the delegates of a part of the model, whose nodes have other numbers there. */
#include <string.h>

#include "cmd/diff/inference_diff.h"

static enum status open_again(struct comparison *c, const struct graph *g, const uint32_t *numbers, struct part_delegates *out,
                              struct err *err)
{
    const uint32_t i = out->n++;
    const struct delegate_choice *choice;
    void *before;
    enum status st;

    if ((st = diff_matrix_options(c, i, &out->arena, &out->of[i].choice, &out->of[i].options, err)))
        return st;
    choice = out->of[i].choice;
    if (!choice->type->options_of_part)
        return ST_OK;
    if (!(before = arena_alloc(&out->arena, 1, choice->type->options_size + 1)))
        return err_set(err, ST_NOMEM, "out of memory for the options of delegate %s", choice->type->name);
    memcpy(before, out->of[i].options, choice->type->options_size);
    if ((st = choice->type->options_of_part(out->of[i].options, g, numbers, &out->arena, err)) ||
        !memcmp(before, out->of[i].options, choice->type->options_size))
        return st;
    return delegates_open_with(&c->tool.delegates, choice, out->of[i].options, &out->of[i].opened, err);
}

enum status part_delegates_open(struct comparison *c, const struct graph *g, const uint32_t *numbers, struct part_delegates *out,
                                struct session_options *test, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < MAX_DELEGATES && test->delegates[i] && !st; i++)
        if (!(st = open_again(c, g, numbers, out, err)) && out->of[i].opened)
            test->delegates[i] = out->of[i].opened;
    return st;
}

void part_delegates_free(struct part_delegates *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        delegate_close(p->of[i].opened);
    arena_free(&p->arena);
    *p = (struct part_delegates){0};
}
