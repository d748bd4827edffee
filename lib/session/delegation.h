/* SPDX-License-Identifier: Apache-2.0 */
/* delegation.h - what is asked of the delegates of one graph: who takes which node, and kernels for the partitions. */
#ifndef DELEGAUGE_DELEGATION_H
#define DELEGAUGE_DELEGATION_H

#include "lib/session/plan.h"

/* Zeroed to begin with. */
struct delegation {
    struct partitioning parts;
    struct delegate_kernel **kernels; /* [n_kernels] those of the partitions, delegate by delegate */
    uint32_t n_kernels;
    struct arena arena; /* holds the rest */
};

/* Asks ds[] (up to the first NULL) about the graph, but for the nodes that have a reason in refused[graph nodes], and fills parts.
 */
enum status delegation_partition(struct delegation *d, const struct graph *g, struct delegate *const *ds,
                                 const struct reason *refused, const struct partition_options *opt, struct err *err);

/* Makes the kernels of all partitions for the steps of `plan`: init of each, then one prepare per delegate. Where a driver refuses
 * nodes, fills refused[] of these and raises *n_refused, the number of all that are refused: nothing is ready to run then. */
enum status delegation_make_kernels(struct delegation *d, const struct graph *g, struct delegate *const *ds, struct plan *plan,
                                    struct reason *refused, uint32_t *n_refused, struct err *err);

/* Frees all of it and leaves zeros; accepts zeros. */
void delegation_free(struct delegation *d);

#endif
