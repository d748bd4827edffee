/* SPDX-License-Identifier: Apache-2.0 */
/* fix_by_rules.c - a set of rules as the judge of rewrites. */
#include <stdlib.h>

#include "lib/rewrite/fix.h"
#include "lib/rules/rules.h"

static enum status ask_rules(void *arg, const struct graph *g, struct reason *out, struct err *err)
{
    struct ruling *rulings = calloc(g->n_nodes ? g->n_nodes : 1, sizeof *rulings);
    enum status st = rulings ? rules_judge(arg, g, rulings, err)
                             : err_set(err, ST_NOMEM, "out of memory for the rulings on %u nodes", g->n_nodes);

    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        out[i] = rulings[i].answer == RULES_YES ? (struct reason){0} : rulings[i].why;
    free(rulings);
    return st;
}

struct fix_judge fix_by_rules(const struct rules *r)
{
    return (struct fix_judge){ask_rules, (void *)r};
}
