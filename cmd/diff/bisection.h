/* SPDX-License-Identifier: Apache-2.0 */
/* bisection.h - the result of a search for the nodes that make a delegate's results differ: the delegate gets some of them, the CPU
 * the rest.
 *
 * The search only needs a delegate that can be given fewer nodes, so it works for delegates from shared libraries. diff_bisect.c
 * searches, diff_bisect_results.c prints. */
#pragma once

#include "lib/compare/bisect.h"
#include "lib/graph/graph.h"

/* Number of steps that are kept: more than BISECT_MAX_FOUND searches through 65536 nodes take. */
#define BISECTION_MAX_STEPS 400

/* One trial. */
struct bisection_step {
    uint32_t first, last; /* range of the file's nodes that the delegate was offered, both ends included */
    uint32_t n_delegated; /* number of nodes that it took */
    double max_error;     /* largest error of all outputs and runs; NAN as diff_max_abs */
    bool off;
};

struct bisection {
    bool done;                 /* true with --bisect and a delegate that took nodes */
    const struct node **nodes; /* [n_nodes] nodes that the delegate took; owned */
    uint32_t n_nodes;
    struct bisect search;
    struct bisection_step steps[BISECTION_MAX_STEPS];
    uint32_t n_steps;
    bool masked; /* the delegate ran the whole model in each trial but the first, with the other nodes masked (delegate.masks) */
    bool tried_masks;         /* one more trial: of no node, all of them masked */
    char not_masked[240];     /* why masks do not tell, if that was tried; else "" */
    uint32_t runs[2], n_runs; /* runs of the comparison, in order: the worst, and another */
    uint32_t worst_run;       /* the worst of them */
    double *limit;            /* [outputs] largest absolute error that is not off, if half_of_all; owned */
    bool half_of_all;         /* all nodes together fail no demand: off is then more than half of their error */
    bool hidden; /* true if a single invocation is off, but the comparison, which looks at the last of several, is not: it has
                    failed then */
};
