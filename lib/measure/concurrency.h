/* SPDX-License-Identifier: Apache-2.0 */
/* concurrency.h - workers that run at the same time: the runs that count, and how fairly the machine is divided. */
#pragma once

#include <stdbool.h>

#include "lib/measure/samples.h"

/* A run of one worker, by clock_ns, and its time without the parts that do not count. */
struct run_span {
    uint64_t begin_ns, end_ns;
    double us;
};

/* Runs of one worker, in their order: all, or every second, fourth, … as `stride` says. */
struct worker_runs {
    const struct run_span *list; /* [n] */
    size_t n, stride;
};

/* Runs that count. Zeros to begin with; the caller frees the samples. */
struct counted_runs {
    struct samples samples; /* microseconds */
    double runs, secs;      /* number, with the runs between the samples; the time in which they were made */
};

/* Add to each of out[n] the runs of w[n] that count: those within the time in which all workers ran, from the latest of their
 * first begins to the earliest of their last ends. None counts if a worker has no run. Fails with ST_NOMEM. */
enum status concurrency_add(const struct worker_runs *w, size_t n, struct counted_runs *out, struct err *err);

/* Return runs a second; 0 without runs. */
double concurrency_rate(const struct counted_runs *c);

/* Compute Jain's index of x[n], shares that are not negative: (sum x)^2 / (n sum x^2). 1 if all are equal, 1/n if one has
 * everything; NAN if all are 0, or n is 0. Source: Jain, Chiu, Hawe, "A quantitative measure of fairness and discrimination for
 * resource allocation in shared computer systems", DEC-TR-301, 1984. */
double jain_index(const double *x, size_t n);
