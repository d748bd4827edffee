/* model_calls.c - which subgraphs an operator calls, and that none calls itself.
 *
 * Callers are taken away one by one once nobody calls them any more; what stays is in a cycle, or below one. */
#include <stdlib.h>
#include <string.h>

#include "model_impl.h"

/* The i-th subgraph that `op` refers to through field `d`; false past the last. */
static bool call_of_field(const struct model_op *op, const struct field *d, uint32_t i, int32_t *subgraph)
{
    const uint8_t *at = (const uint8_t *)op->options + d->offset, *list;
    uint64_t n = 0;

    switch (d->kind) {
    case FIELD_SUBGRAPH:
        n = 1;
        break;
    case FIELD_LIST_SUBGRAPH:
        memcpy(&list, at, sizeof list);
        at = list;
        /* fall through */
    case FIELD_ARRAY_SUBGRAPH:
        memcpy(&n, (const uint8_t *)op->options + d->count_offset, d->count_bytes);
        break;
    default:
        break;
    }
    if (i >= n)
        return false;
    memcpy(subgraph, at + i * sizeof *subgraph, sizeof *subgraph);
    return true;
}

/* Adds `step` to the callers of each subgraph that `g` calls; subgraphs that reach 0 go on the stack. */
static void count_calls(struct fb *f, const struct model *m, const struct model_subgraph *g, int step,
                        uint32_t *callers, uint32_t *stack, uint32_t *top)
{
    for (uint32_t k = 0; k < g->n_ops && !f->st; k++) {
        const struct options_table *table = options_table(g->ops[k].options_kind);

        for (uint32_t j = 0; table && g->ops[k].options && j < table->n_fields; j++) {
            int32_t to;

            for (uint32_t i = 0; call_of_field(&g->ops[k], &table->fields[j], i, &to); i++) {
                if (to < 0 || (uint32_t)to >= m->n_subgraphs) {
                    fb_fail(f, ST_BAD_MODEL, "subgraph %td: node %u %.80s: %s is subgraph %d of %u",
                            g - m->subgraphs, k, model_op_name(m, &g->ops[k]), table->fields[j].name, to,
                            m->n_subgraphs);
                    return;
                }
                callers[to] += (uint32_t)step;
                if (step < 0 && !callers[to])
                    stack[(*top)++] = (uint32_t)to;
            }
        }
    }
}

static void find_cycle(struct fb *f, const struct model *m, uint32_t *callers, uint32_t *stack)
{
    uint32_t top = 0, done = 0;

    for (uint32_t i = 0; i < m->n_subgraphs; i++)
        count_calls(f, m, &m->subgraphs[i], 1, callers, stack, &top);
    for (uint32_t i = 0; i < m->n_subgraphs; i++)
        if (!callers[i])
            stack[top++] = i;
    for (; top && !f->st; done++) {
        uint32_t i = stack[--top];

        count_calls(f, m, &m->subgraphs[i], -1, callers, stack, &top);
    }
    for (uint32_t i = 0; i < m->n_subgraphs && done < m->n_subgraphs; i++)
        if (callers[i])
            fb_fail(f, ST_BAD_MODEL, "subgraph %u \"%.80s\" is called in a circle", i, m->subgraphs[i].name);
}

void model_check_calls(struct loader *l)
{
    uint32_t n = l->m->n_subgraphs, *callers;

    if (l->fb.st)
        return;
    if (!(callers = calloc(2 * (size_t)n + 1, sizeof *callers))) {
        fb_fail(&l->fb, ST_NOMEM, "out of memory for %u subgraphs", n);
        return;
    }
    find_cycle(&l->fb, l->m, callers, callers + n);
    free(callers);
}
