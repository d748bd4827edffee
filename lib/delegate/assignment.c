/* SPDX-License-Identifier: Apache-2.0 */
/* assignment.c - nodes counted by who runs them; refusals sorted, so that equal ones count as one. */
#include "lib/delegate/assignment.h"

#include <stdlib.h>
#include <string.h>

struct assignment assignment_of(const struct graph *g, const struct partitioning *p)
{
    struct assignment a = {.n_nodes = g->n_nodes};

    for (uint32_t i = 0; i < g->n_nodes; i++)
        a.n_folded += g->nodes[i].folded;
    if (p) {
        a.n_delegated = p->n_delegated;
        a.n_partitions = p->n_parts;
    }
    a.n_cpu = a.n_nodes - a.n_folded - a.n_delegated;
    a.full = p && !a.n_cpu;
    return a;
}

static int by_text(const void *a, const void *b)
{
    const struct refusal *x = a, *y = b;
    int order = strcmp(x->op, y->op);

    return order ? order : strcmp(x->text, y->text);
}

enum status assignment_refusals(const struct graph *g, const struct partitioning *p, struct arena *a, struct refusal **out,
                                uint32_t *n, struct err *err)
{
    struct refusal *all = ARENA_ARRAY(a, g->n_nodes, struct refusal);
    uint32_t n_all = 0;

    *n = 0;
    if (!(*out = all))
        return err_set(err, ST_NOMEM, "out of memory for the reasons of %u nodes", g->n_nodes);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (p->reasons[i].code != REASON_NONE)
            all[n_all++] = (struct refusal){g->nodes[i].name, p->reasons[i].text, 1};
    qsort(all, n_all, sizeof *all, by_text);
    for (uint32_t i = 0; i < n_all; i++)
        if (*n && !by_text(&all[*n - 1], &all[i]))
            all[*n - 1].n_nodes++;
        else
            all[(*n)++] = all[i];
    return ST_OK;
}

void assignment_share(const struct partitioning *p, const struct delegate *d, uint32_t *n_nodes, uint32_t *n_partitions)
{
    *n_nodes = *n_partitions = 0;
    for (uint32_t i = 0; i < p->n_parts; i++)
        if (p->parts[i].delegate == d) {
            *n_nodes += p->parts[i].n_nodes;
            ++*n_partitions;
        }
}
