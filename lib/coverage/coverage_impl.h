/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_impl.h - declarations that the files of coverage share. */
#pragma once

#include "lib/coverage/coverage.h"

/* Return true if the reason is about the node itself, not about a partition that is too small or one too many. */
bool coverage_is_nodes_own(enum reason_code code);

/* Empty *c and allocate n_graphs graphs. This function and the next two fail only with ST_NOMEM. */
enum status coverage_begin(struct coverage *c, uint32_t n_graphs, struct err *err);

/* Add the verdicts about one graph, from its partitioning, or from the table of CPU kernels if p is NULL. */
enum status coverage_add_graph(struct coverage *c, const struct graph *g, const struct partitioning *p, struct err *err);

/* Compute operators and totals, after the last coverage_add_graph. */
enum status coverage_add_up(struct coverage *c, struct err *err);

/* Set c->first_refused. */
void coverage_find_first_refused(struct coverage *c);

/* Fill *c for a model that runs nowhere: operators by name, and the reason `why` (NULL: there was no memory for its text). */
enum status coverage_of_invalid(struct coverage *c, const struct model *m, uint32_t subgraph, const char *why, struct err *err);

/* Fill c->gains from the verdicts and operators of c and the claims of ds, a list that ends with NULL, on c->graphs[0]. Fails with
 * ST_NOMEM. */
enum status coverage_find_gains(struct coverage *c, struct delegate *const *ds, const struct claim *claims,
                                const struct partition_options *opt, struct err *err);

/* Fill c->called from c->parts. Fails as partition_claimed does. */
enum status coverage_find_called(struct coverage *c, struct delegate *const *ds, const struct partition_options *opt,
                                 struct err *err);
