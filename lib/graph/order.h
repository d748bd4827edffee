/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - execution order: a topological sort that keeps the given order wherever it may. */
#ifndef DELEGAUGE_ORDER_H
#define DELEGAUGE_ORDER_H

#include "lib/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct edge {
    uint32_t from, to; /* `from` runs before `to` */
};

/* Write a permutation of 0..n-1 into order[n] that satisfies every edge, the smallest ready index first, so that an order that was
 * right stays as it was. If there is a cycle, set *cycle to a member of it and fail with ST_BAD_MODEL. Edges from an index to
 * itself count as cycles; duplicates are fine. Scratch memory comes from `a`. */
enum status order_sort(uint32_t n, const struct edge *edges, size_t n_edges, struct arena *a, uint32_t *order, uint32_t *cycle,
                       struct err *err);

#endif
