/* SPDX-License-Identifier: Apache-2.0 */
/* delegation.h - partitioning of one graph among delegates, and their kernels. */
#pragma once

#include "lib/session/plan.h"

/* Initialize to zero. */
struct delegation {
    struct partitioning parts;
    struct delegate_kernel **kernels; /* [n_kernels] kernels of the partitions, ordered by delegate */
    uint32_t n_kernels;
    struct arena arena; /* owns parts and the array of kernels */
};

/* Ask the delegates ds[], up to the first NULL, about all nodes without a reason in refused[graph nodes]; fill d->parts. `whole`:
 * give all of them to ds[0] without asking (partition_whole), unless it has refused the first node, and so all. Fails as
 * partition_ask, partition_claimed and partition_whole do. */
enum status delegation_partition(struct delegation *d, const struct graph *g, struct delegate *const *ds,
                                 const struct reason *refused, const struct partition_options *opt, bool whole, struct err *err);

/* Make the kernels of all partitions for the steps of `plan`: init for each, then prepare and `divided` once per delegate. If a
 * driver refuses nodes, fill their refused[], raise *n_refused, the number of refused nodes, and return ST_OK: no kernel can run
 * then. */
enum status delegation_make_kernels(struct delegation *d, const struct graph *g, struct delegate *const *ds, struct plan *plan,
                                    struct reason *refused, uint32_t *n_refused, struct err *err);

/* Free all kernels and memory, and leave *d zeroed; accepts a zeroed one. */
void delegation_free(struct delegation *d);
