/* SPDX-License-Identifier: Apache-2.0 */
/* graph_part.c - see graph_part.h */
#include "lib/graph/graph_part.h"

#include <string.h>

static struct tensor **own_tensors(struct graph *g, struct tensor *const *of, uint32_t n)
{
    struct tensor **list = ARENA_ARRAY(&g->arena, n, struct tensor *);

    for (uint32_t i = 0; list && i < n; i++)
        list[i] = &g->tensors[of[i]->index];
    return list;
}

enum status graph_part(struct graph *g, const bool *within, struct tensor *const *in, uint32_t n_in, struct tensor *const *out,
                       uint32_t n_out, uint32_t level, struct err *err)
{
    struct graph_part *p = ARENA_ARRAY(&g->arena, 1, struct graph_part);

    g->inputs = own_tensors(g, in, g->n_inputs = n_in);
    g->outputs = own_tensors(g, out, g->n_outputs = n_out);
    if (!p || !g->inputs || !g->outputs || !(p->within = ARENA_ARRAY(&g->arena, g->n_nodes, bool)) ||
        !(p->known = ARENA_ARRAY(&g->arena, g->n_tensors, const void *)))
        return err_set(err, ST_NOMEM, "out of memory for a part of %u nodes", g->n_nodes);
    memcpy(p->within, within, g->n_nodes * sizeof *within);
    p->level = level;
    g->part = p;
    return ST_OK;
}

enum status graph_part_know(struct graph *g, uint32_t i, const void *data, struct err *err)
{
    const struct tensor *t = g->inputs[i];
    void *copy = arena_alloc(&g->arena, t->bytes ? t->bytes : 1, 1);

    if (!copy)
        return err_set(err, ST_NOMEM, "out of memory for %zu bytes", t->bytes);
    if (t->bytes)
        memcpy(copy, data, t->bytes);
    g->part->known[t->index] = copy;
    return ST_OK;
}

void graph_part_add(struct tensor **list, uint32_t *n, struct tensor *t)
{
    for (uint32_t i = 0; i < *n; i++)
        if (list[i] == t)
            return;
    list[(*n)++] = t;
}
