/* SPDX-License-Identifier: Apache-2.0 */
/* async_runs.h - timed runs that are handed over to the device one behind the other, and the outputs of each read: they measure the
 * runs in a second, not the time of one. */
#pragma once

#include "lib/measure/bench_loop.h"
#include "lib/session/session.h"

/* The result; zeros if each run was timed. */
struct async_runs {
    size_t runs;
    double total_us; /* microseconds from before the first was handed over until the last was done and its outputs were read */
    uint32_t waits;  /* number of partitions that each run waited for all the same, as others follow (session_n_waits) */
    uint32_t ahead;  /* number of runs that were handed over before the outputs of the run before them were read (session_ahead) */
};

/* Return in words when the outputs of each run were read: "the outputs of each read before the next". */
const char *async_outputs(const struct async_runs *u);

/* Make as many runs as `limits` ask for: min_runs, or more if min_secs would hold more by the known time of one, run_us (NAN:
 * unknown), but not beyond max_secs; none if neither minimum asks for one. `job` has the callbacks that watch and stop the runs;
 * its run and arg are set here. Fails as session_submit and session_fetch do. */
enum status async_run(struct session *s, struct loop_job *job, const struct loop_limits *limits, double run_us,
                      struct async_runs *out, struct loop_result *result, struct err *err);

/* Return that number of runs; at most INT32_MAX. */
int32_t async_count(const struct loop_limits *limits, double run_us);
