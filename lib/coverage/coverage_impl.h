/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_impl.h - declarations that the files of coverage share. */
#ifndef DELEGAUGE_COVERAGE_IMPL_H
#define DELEGAUGE_COVERAGE_IMPL_H

#include "lib/coverage/coverage.h"

/* Return true if a node itself was turned down, not its partition for being too small or one too many. */
bool coverage_is_nodes_own(enum reason_code code);

/* Empties c and makes room for n_graphs graphs. ST_NOMEM, like the next two. */
enum status coverage_begin(struct coverage *c, uint32_t n_graphs, struct err *err);

/* Adds the verdicts about one graph, by its partitioning, or by the table of CPU kernels with p NULL. */
enum status coverage_add_graph(struct coverage *c, const struct graph *g, const struct partitioning *p, struct err *err);

/* Adds up operators and totals, after the last coverage_add_graph. */
enum status coverage_add_up(struct coverage *c, struct err *err);

/* Finds c->first_refused. */
void coverage_find_first_refused(struct coverage *c);

/* The answer about a model that runs nowhere, for the reason `why` (NULL: there was no memory for it): operators by their names. */
enum status coverage_of_invalid(struct coverage *c, const struct model *m, uint32_t subgraph, const char *why, struct err *err);

/* Fills c->gains, by the verdicts and operators of c and the claims of ds, which ends with NULL, on c->graphs[0]. ST_NOMEM. */
enum status coverage_find_gains(struct coverage *c, struct delegate *const *ds, const struct claim *claims, struct err *err);

/* Fills c->called, by c->parts. Fails as partition_claimed does. */
enum status coverage_find_called(struct coverage *c, struct delegate *const *ds, const struct partition_options *opt,
                                 struct err *err);

#endif
