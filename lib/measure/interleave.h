/* SPDX-License-Identifier: Apache-2.0 */
/* interleave.h - runs several jobs in turns (A B A B …), so that drift (heat, frequency, other programs) affects their times
 * alike. */
#pragma once

#include "lib/measure/bench_loop.h"

/* One job. All members but `run` and `arg` are 0 to begin with. */
struct contender {
    enum status (*run)(void *arg, struct err *err);
    void *arg;
    uint32_t inferences;               /* inferences of one run: its time is divided by them. 0: one */
    uint64_t (*outside_ns)(void *arg); /* nanoseconds of the last run that are not to be counted; NULL: all count */
    struct samples samples;            /* times of its runs in microseconds; the caller frees them */
    enum status failed;                /* failure of its run, or ST_OK; a contender with a failure gets no more turns */
    struct err err;                    /* message of `failed` */
};

/* Run rounds in which each of c[n] has one turn, in this order, and append each time to its samples. The limits of bench_loop apply
 * to each contender that still has turns: rounds go on until min_runs rounds are done and min_secs are used for each, but not
 * beyond max_secs for each; delay_secs follows each turn; steady_secs and runs_per_sec are ignored. Of `watch` only stop, called
 * before each round so that all get equally many turns, and progress are used. A failing run ends only its contender's turns;
 * ST_LATER ends all turns, and its round does not count. The end is LOOP_MINIMA if no contender is left. Fails only with
 * ST_NOMEM. */
enum status interleave(struct contender *c, size_t n, const struct loop_job *watch, const struct loop_limits *limits,
                       struct loop_result *result, struct err *err);
