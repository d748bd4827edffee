/* SPDX-License-Identifier: Apache-2.0 */
/* one_check.c - see one_check.h */
#include "bench/opcheck/one_check.h"

#include <string.h>

#include "lib/delegate/partition.h"
#include "lib/graph/kernel.h"

/* Delegates say by themselves that they know no newer version, and what they make of another subgraph. */
static bool says_so(const struct node *n, const struct reason *r, const char *said)
{
    return (n->op && n->op->cpu->reads_model && r->code != REASON_NONE) ||
           (r->code == REASON_REFUSED_BY_CPU && strstr(said, r->text)) ||
           (r->code == REASON_UNSUPPORTED_OPERATOR_VERSION && strstr(said, "version"));
}

enum status one_check_holds(const struct graph *g, struct delegate *d, const char *said, struct err *err)
{
    struct arena a = {0};
    struct partitioning parts;
    enum status st = partition_graph(g, (struct delegate *const[]){d, NULL}, &(struct partition_options){0}, &a, &parts, err);
    bool found = false;

    for (uint32_t i = 0; !st && i < g->n_nodes; i++)
        found |= says_so(&g->nodes[i], &parts.reasons[i], said);
    if (!st && !found)
        st = err_set(err, ST_FAILED, "the CPU refuses it (%s), and the delegate does not say so", said);
    arena_free(&a);
    return st;
}
