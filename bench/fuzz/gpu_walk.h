/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_walk.h - runs each GPU operator at rank 1 to 6 with one axis longer than 65,535, each axis in turn.
 *
 * Of each operator and rank the first case of that rank is used, else one of lower rank with axes added in front. In its first
 * input of the highest rank one axis is made 65,539 long, and so are the axes that must match it. Content is seeded. So no kernel,
 * grid, loop or index may be limited to 16 bits, or by a driver's limit of loops. */
#pragma once

#include "bench/opcheck/case_model.h"
#include "lib/gl/gpu/gpu.h"

#define WALK_RANKS 6

struct walk {
    /* A place is an operator, a rank and one of its axes. Run one place in `every`. */
    uint64_t every;
    const char *op;         /* only this operator; NULL: all */
    unsigned share, shares; /* only every `shares`th operator, from number `share` (1 to shares) on; shares 0: all */
    bool verbose;           /* print each operator's ranks, and why a place was not run */
    /* Run nothing and open no device: print for each operator and rank the axes that can be so long on the least device, and in
     * parentheses why the first other axis cannot. */
    bool asks;

    /* Results. none: there is no such shape, or it is too large to run; unheld: ran, but the CPU refuses the content or rounds
     * otherwise. */
    uint64_t places, none, refused, compared, unheld, failed;
    char why[600];              /* reason why the last place was not run */
    uint64_t ranks[WALK_RANKS]; /* operators compared with the CPU at each rank */
};

/* Run the places and print the differences. Fails with ST_NO_GPU without a device, or with ST_NOMEM. */
enum status walk_run(struct walk *w, struct err *err);
