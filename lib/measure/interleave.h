/* SPDX-License-Identifier: Apache-2.0 */
/* interleave.h - several things run in turns (A B A B …), so that whatever drifts meanwhile (heat, frequency, other programs) meets
 * all of them alike, and their times may be compared. */
#ifndef DELEGAUGE_INTERLEAVE_H
#define DELEGAUGE_INTERLEAVE_H

#include "lib/measure/bench_loop.h"

/* One that takes its turn. Zeros but for `run` and `arg` to begin with. */
struct contender {
    enum status (*run)(void *arg, struct err *err);
    void *arg;
    uint32_t inferences;    /* as of struct loop_job */
    struct samples samples; /* its times, in microseconds; the caller frees them */
    enum status failed;     /* ST_OK, or the failure of its run: it has no turn since then, nor if that was set before */
    struct err err;         /* of that */
};

/* Give each of c[n] a turn in each round, in their order, and add its time to its samples. The limits are bench_loop's for every
 * single one: rounds go on until there were min_runs of them in this call and the whole took min_secs for each that still has
 * turns, but not beyond max_secs for each; delay_secs is slept after each turn; steady_secs does not count. Of `watch`, stop (asked
 * before each round, so that all have the same number of turns) and progress count. A run that fails ends nothing but its
 * contender's turns, one that returns ST_LATER all of them, and its round does not count; the end is LOOP_MINIMA if none is left.
 * Fails only with ST_NOMEM. */
enum status interleave(struct contender *c, size_t n, const struct loop_job *watch, const struct loop_limits *limits,
                       struct loop_result *result, struct err *err);

#endif
