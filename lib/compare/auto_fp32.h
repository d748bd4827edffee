/* SPDX-License-Identifier: Apache-2.0 */
/* auto_fp32.h - a small set of nodes that, kept in float32 or on the CPU, makes a model pass.
 *
 * The caller defines "kept" and "pass": a callback that runs the model with a set and tells if it passes. Candidates come ordered,
 * the likeliest first. The search first asks for nothing and for all of them; then finds the shortest beginning of the list that
 * passes, by doubling and halving; and then drops unneeded nodes from it, in ever smaller pieces (delta debugging), until no single
 * node can be left out. That holds for the answers given: if they are not monotonic (more nodes in float32 and worse), a smaller
 * set may exist that is no subset of the one found. */
#ifndef DELEGAUGE_AUTO_FP32_H
#define DELEGAUGE_AUTO_FP32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/arena.h"

/* How a search ended. */
enum auto_fp32_end {
    AUTO_FP32_NOT_NEEDED, /* it passes without any */
    AUTO_FP32_FOUND,      /* `nodes` passed, and no node can be left out */
    AUTO_FP32_LARGER,     /* `nodes` passed; the runs were used up before all of them had been tried without */
    AUTO_FP32_NOT_ENOUGH, /* it fails with all candidates: something else is wrong */
    AUTO_FP32_STOPPED,    /* max_runs < 2, or `stopped` said so before any set had passed */
};

/* The caller fills the first part. Numbers are the nodes' in the file (struct node.index). */
struct auto_fp32 {
    const uint32_t *candidates; /* [n_candidates], each once, the likeliest first */
    uint32_t n_candidates;
    uint32_t max_runs; /* calls of `passes` at most */

    /* Sets *pass if the model passes with these nodes, in ascending order, kept. A failure ends the search. */
    enum status (*passes)(void *arg, const uint32_t *nodes, uint32_t n, bool *pass, struct err *err);
    bool (*stopped)(void *arg); /* NULL: never; asked before each run */
    void *arg;

    enum auto_fp32_end end;
    uint32_t *nodes; /* [n] of the smallest set that passed, ascending; in `arena` */
    uint32_t n, runs;
    struct arena arena;
};

/* Search for the set; fails as `passes` does, and with ST_NOMEM. */
enum status auto_fp32_search(struct auto_fp32 *a, struct err *err);
void auto_fp32_free(struct auto_fp32 *a);

/* Return "3,7-9" of ascending numbers, as --gpu_fp32_nodes and --no_delegate_nodes take them, in the arena; NULL if memory runs
 * out. */
const char *auto_fp32_list(struct arena *a, const uint32_t *nodes, uint32_t n);

#endif
