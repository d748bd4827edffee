/* SPDX-License-Identifier: Apache-2.0 */
/* model_calls.c - checks that calls between subgraphs lead somewhere, never in a circle, and not too deep.
 *
 * Subgraphs are taken away one by one once nobody calls them any more; what stays is in a circle, or below one. */
#include <stdlib.h>
#include <string.h>

#include "lib/model/model_impl.h"

/* Sessions run calls by recursion. */
#define MAX_DEPTH 64

struct control_flow {
    struct fb *f;
    const struct model *m;
    uint32_t *callers;    /* of each subgraph, among those not taken away */
    uint32_t *depth;      /* longest chain of calls that leads to it */
    uint32_t *stack, top; /* subgraphs that nobody calls */
};

/* The references in one field, *n of them; NULL: it is of another kind. */
static const uint8_t *references(const struct model_op *op, const struct field *d, uint64_t *n)
{
    const uint8_t *at = (const uint8_t *)op->options + d->offset, *list;

    *n = 1;
    if (d->kind == FIELD_SUBGRAPH)
        return at;
    *n = 0;
    if (d->kind != FIELD_LIST_SUBGRAPH && d->kind != FIELD_ARRAY_SUBGRAPH)
        return NULL;
    memcpy(n, (const uint8_t *)op->options + d->count_offset, d->count_bytes);
    if (d->kind == FIELD_ARRAY_SUBGRAPH)
        return at;
    memcpy(&list, at, sizeof list);
    return list;
}

/* The i-th reference in one field; false past the last. */
static bool reference(const struct model_op *op, const struct field *d, uint32_t i, uint32_t *subgraph)
{
    uint64_t n;
    const uint8_t *list = references(op, d, &n);

    if (i >= n)
        return false;
    memcpy(subgraph, list + i * sizeof *subgraph, sizeof *subgraph);
    return true;
}

bool model_next_call(struct model_calls *w, uint32_t *subgraph)
{
    const struct options_table *table = w->op->options ? options_table(w->op->options_kind) : NULL;

    for (; table && w->field < table->n_fields; w->field++, w->entry = 0)
        if (reference(w->op, &table->fields[w->field], w->entry, subgraph)) {
            w->entry++;
            return true;
        }
    return false;
}

static void renumber(uint8_t *list, uint64_t n, const uint32_t *at)
{
    for (uint64_t i = 0; i < n; i++) {
        uint32_t subgraph;

        memcpy(&subgraph, list + i * sizeof subgraph, sizeof subgraph);
        memcpy(list + i * sizeof subgraph, &at[subgraph], sizeof *at);
    }
}

bool model_op_renumber_calls(struct model_op *op, const uint32_t *at, struct arena *a)
{
    const struct options_table *table = options_table(op->options_kind);
    uint32_t first;
    uint8_t *own;

    if (!model_next_call(&(struct model_calls){.op = op}, &first))
        return true;
    if (!(own = arena_alloc(a, table->size, 1)))
        return false;
    op->options = memcpy(own, op->options, table->size);
    for (uint16_t i = 0; i < table->n_fields; i++) {
        const struct field *d = &table->fields[i];
        uint64_t n;
        const uint8_t *list = references(op, d, &n);
        uint8_t *copy = own + d->offset;

        if (d->kind == FIELD_LIST_SUBGRAPH && n) {
            if (!(copy = arena_alloc(a, n, sizeof *at)))
                return false;
            memcpy(copy, list, n * sizeof *at);
            memcpy(own + d->offset, &copy, sizeof copy);
        }
        renumber(copy, n, at);
    }
    return true;
}

static void count_callers(struct control_flow *c, uint32_t caller)
{
    const struct model_subgraph *g = &c->m->subgraphs[caller];

    for (uint32_t k = 0; k < g->n_ops && !c->f->st; k++) {
        struct model_calls w = {.op = &g->ops[k]};
        uint32_t to;

        while (model_next_call(&w, &to)) {
            if (to >= c->m->n_subgraphs) {
                fb_fail(c->f, ST_BAD_MODEL, "subgraph %u: node %u %.80s: %s is subgraph %d of %u", caller, k,
                        model_op_name(c->m, w.op), options_table(w.op->options_kind)->fields[w.field].name, (int32_t)to,
                        c->m->n_subgraphs);
                return;
            }
            c->callers[to]++;
        }
    }
}

static void take_away(struct control_flow *c, uint32_t caller)
{
    const struct model_subgraph *g = &c->m->subgraphs[caller];
    uint32_t depth = c->depth[caller] + 1;

    for (uint32_t k = 0; k < g->n_ops; k++) {
        struct model_calls w = {.op = &g->ops[k]};
        uint32_t to;

        while (model_next_call(&w, &to)) {
            if (c->depth[to] < depth)
                c->depth[to] = depth;
            if (!--c->callers[to])
                c->stack[c->top++] = to;
        }
    }
    if (depth > MAX_DEPTH)
        fb_fail(c->f, ST_UNSUPPORTED, "subgraph %u \"%.80s\" is called %u levels deep, the most supported is %d", caller, g->name,
                depth - 1, MAX_DEPTH - 1);
}

static void check(struct control_flow *c)
{
    uint32_t n = c->m->n_subgraphs;

    for (uint32_t i = 0; i < n && !c->f->st; i++)
        count_callers(c, i);
    for (uint32_t i = 0; i < n; i++)
        if (!c->callers[i])
            c->stack[c->top++] = i;
    while (c->top && !c->f->st)
        take_away(c, c->stack[--c->top]);
    for (uint32_t i = 0; i < n && !c->f->st; i++)
        if (c->callers[i])
            fb_fail(c->f, ST_BAD_MODEL, "subgraph %u \"%.80s\" is called in a circle", i, c->m->subgraphs[i].name);
}

void model_check_calls(struct loader *l)
{
    struct control_flow c = {.f = &l->fb, .m = l->m};
    uint32_t n = c.m->n_subgraphs, *memory;

    if (l->fb.st)
        return;
    if (!(memory = calloc(3 * (size_t)n + 1, sizeof *memory))) {
        fb_fail(&l->fb, ST_NOMEM, "out of memory for %u subgraphs", n);
        return;
    }
    c.callers = memory;
    c.depth = memory + n;
    c.stack = c.depth + n;
    check(&c);
    free(memory);
}
