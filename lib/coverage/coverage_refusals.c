/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_refusals.c - one pass over the nodes, grouping those whose printed texts are equal. */
#include "lib/coverage/coverage_refusals.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/intern.h"

static int by_nodes(const void *a, const void *b)
{
    const struct coverage_refusal *x = a, *y = b;

    if (x->n_nodes != y->n_nodes)
        return (x->n_nodes < y->n_nodes) - (x->n_nodes > y->n_nodes);
    return (x->first > y->first) - (x->first < y->first);
}

enum status coverage_refusals(const struct coverage *c, struct arena *a, struct coverage_refusal **out, uint32_t *n,
                              struct err *err)
{
    struct coverage_refusal *list = ARENA_ARRAY(a, c->n_verdicts, struct coverage_refusal);
    struct intern seen;

    *n = 0;
    if (!list || !intern_init(&seen, a, c->n_verdicts))
        return err_set(err, ST_NOMEM, "out of memory for the reasons of %u nodes", c->n_verdicts);
    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        const char *key;
        uint32_t at;

        if (v->why.code == REASON_NONE)
            continue;
        if (!(key = arena_printf(a, "%d %s\n%s", (int)v->why.code, v->why.text, v->node->name)))
            return err_set(err, ST_NOMEM, "out of memory for the reasons of %u nodes", c->n_verdicts);
        if ((at = intern(&seen, key, strlen(key), *n)) == *n)
            list[(*n)++].first = v;
        list[at].n_nodes++;
    }
    qsort(list, *n, sizeof *list, by_nodes);
    *out = list;
    return ST_OK;
}
