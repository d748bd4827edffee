/* SPDX-License-Identifier: Apache-2.0 */
/* bisection.h - what a search found: the search for the nodes that make a delegate's results differ, by giving it some of them and
 * the CPU the rest.
 *
 * Needs nothing of the delegate but that it can be given fewer nodes, so it works for those of shared libraries. The search is in
 * diff_bisect.c, what prints it in diff_bisect_text.c. */
#ifndef DELEGAUGE_CMD_BISECTION_H
#define DELEGAUGE_CMD_BISECTION_H

#include "lib/compare/bisect.h"
#include "lib/graph/graph.h"

/* Steps that are kept: more than BISECT_MAX_FOUND searches through 65536 nodes take. */
#define BISECTION_MAX_STEPS 400

/* One trial. */
struct bisection_step {
    uint32_t first, last; /* of the file's nodes, those that the delegate was offered; both are among them */
    uint32_t n_delegated; /* that it took */
    double max_error;     /* largest of all outputs and runs; NAN as diff_max_abs */
    bool off;
};

struct bisection {
    bool done;                 /* with --bisect, and a delegate that took nodes */
    const struct node **nodes; /* [n_nodes] what the delegate took; owned */
    uint32_t n_nodes;
    struct bisect search;
    struct bisection_step steps[BISECTION_MAX_STEPS];
    uint32_t n_steps;
    uint32_t runs[2], n_runs; /* of the comparison, in order: the worst, and another */
    uint32_t worst_run;       /* which of them is the worst */
    double *limit;            /* [outputs] largest absolute error that is not off, where half_of_all; owned */
    bool half_of_all;         /* nothing says what may differ: off is more than half of what all nodes together do */
    bool hidden;              /* off in a single invocation, but not in the comparison, which looks at the last of several: it
                               * has failed then */
};

#endif
