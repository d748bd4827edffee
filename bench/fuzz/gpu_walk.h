/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_walk.h - each operator that the GPU has at rank 1 to 6, more than 65,535 long along one axis after the other.
 *
 * Of each operator and rank its first case of that rank is taken, else one of a lower rank with axes before it; of the first input
 * of the highest rank one axis is made 65,539 long, and with it the axes that have to be as long. Content is seeded. No kernel,
 * grid, loop or index may end at the limit of 16 bits, nor at that of a driver's loops. */
#ifndef DELEGAUGE_BENCH_GPU_WALK_H
#define DELEGAUGE_BENCH_GPU_WALK_H

#include "bench/opcheck/case_model.h"
#include "lib/gl/gpu/gpu.h"

#define WALK_RANKS 6

struct walk {
    uint64_t every;         /* every Nth of the places is walked to */
    const char *op;         /* only this operator, or NULL */
    unsigned share, shares; /* only every `shares`th operator, from number `share` (1 to shares) on; shares 0: all */
    bool verbose;           /* print each operator's ranks, and why a place was not walked to */
    bool asks; /* nothing is run, and no device wanted: prints of each operator and rank which axes can be so long on the
                  least device, and in parentheses why the first other one cannot */

    /* Out. A place is an operator, a rank and one of its axes. */
    uint64_t places, none, refused, compared, unheld, failed; /* none: no such shape, or one that is too large to be run; unheld:
                                                                 ran, but the CPU refuses the content, or rounds it otherwise */
    char why[600];                                            /* the last place was not walked to */
    uint64_t ranks[WALK_RANKS];                               /* operators that were held against the CPU at each rank */
};

/* Walk to the places and print the differences. Fails if there is no device (ST_NO_GPU), and with ST_NOMEM. */
enum status walk_run(struct walk *w, struct err *err);

#endif
