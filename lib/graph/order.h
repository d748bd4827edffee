/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - execution order: a topological sort that keeps the given order wherever it may. */
#pragma once

#include "lib/base/arena.h"

#include <stdint.h>

struct edge {
    uint32_t from, to; /* `from` runs before `to` */
};

/* Write into order[n] a permutation of 0..n-1 that satisfies every edge, the smallest ready index first, so that a valid order
 * stays unchanged. Fails with ST_BAD_MODEL, and a member of the cycle in *cycle, if there is a cycle (an edge from an index to
 * itself is one); with ST_NOMEM. Duplicate edges are allowed. Scratch memory comes from `a`. */
enum status order_sort(uint32_t n, const struct edge *edges, size_t n_edges, struct arena *a, uint32_t *order, uint32_t *cycle,
                       struct err *err);
