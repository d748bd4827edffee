/* SPDX-License-Identifier: Apache-2.0 */
/* auto_fp32.h - finds a small set of nodes that makes a model pass if kept in float32 or on the CPU.
 *
 * The caller's callback runs the model with a set of nodes kept and tells if the model passes. Candidates are ordered, the
 * likeliest first. The search tries no node and all nodes; then finds the shortest passing prefix of the list by doubling and
 * halving; then removes unneeded nodes in ever smaller pieces (delta debugging) until no single node can be left out. If passing is
 * not monotonic (a larger set can fail), a smaller set may exist that is no subset of the result. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/arena.h"

/* How a search ended. */
enum auto_fp32_end {
    AUTO_FP32_NOT_NEEDED, /* the model passes with no node kept */
    AUTO_FP32_FOUND,      /* `nodes` passed, and no node can be left out */
    AUTO_FP32_LARGER,     /* `nodes` passed; max_runs was reached before each node had been tried for removal */
    AUTO_FP32_NOT_ENOUGH, /* the model fails with all candidates kept: something else is wrong */
    AUTO_FP32_STOPPED,    /* max_runs < 2, or stopped() returned true before any set had passed */
};

/* The caller fills the members up to `arg`. Nodes are numbered as in the file (struct node.index). */
struct auto_fp32 {
    const uint32_t *candidates; /* [n_candidates] without duplicates, the likeliest first */
    uint32_t n_candidates;
    uint32_t max_runs; /* most calls of `passes` */

    /* Set *pass to true if the model passes with nodes[n], ascending, kept. A failure ends the search. */
    enum status (*passes)(void *arg, const uint32_t *nodes, uint32_t n, bool *pass, struct err *err);
    bool (*stopped)(void *arg); /* called before each run; true ends the search; NULL: never */
    void *arg;

    enum auto_fp32_end end;
    uint32_t *nodes; /* [n] the smallest set that passed, ascending; in `arena` */
    uint32_t n, runs;
    struct arena arena;
};

/* Search for the set. Fails as `passes` does, and with ST_NOMEM. */
enum status auto_fp32_search(struct auto_fp32 *a, struct err *err);
void auto_fp32_free(struct auto_fp32 *a);

/* Return ascending numbers as text "3,7-9", the syntax of --gpu_fp32_nodes and --no_delegate_nodes, in the arena; NULL if memory
 * runs out. */
const char *auto_fp32_list(struct arena *a, const uint32_t *nodes, uint32_t n);
