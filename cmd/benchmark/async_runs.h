/* SPDX-License-Identifier: Apache-2.0 */
/* async_runs.h - timed runs that are handed over to the device one behind the other, and the outputs of each read: how many get
 * through in a second, and not how long one takes. */
#ifndef DELEGAUGE_CMD_UNWAITED_H
#define DELEGAUGE_CMD_UNWAITED_H

#include "lib/measure/bench_loop.h"
#include "lib/session/session.h"

/* Zeros where each run was timed. */
struct unwaited {
    size_t runs;
    double total_us; /* from before the first was handed over until the last was done and its outputs were read */
    uint32_t waits;  /* partitions that each run waited for all the same, as others follow (session_n_waits) */
    uint32_t ahead;  /* runs that were handed over before the outputs of the one before them were read (session_ahead) */
};

/* When the outputs of each run were read, in words: "the outputs of each read before the next". */
const char *unwaited_outputs(const struct unwaited *u);

/* As many runs as `limits` ask for: min_runs, or more where min_secs would hold more by the time of one that is known, run_us (NAN:
 * it is not), but not beyond max_secs; none where neither minimum asks for one. `job` says who looks on and stops it; its run and
 * arg are set here. Fails as session_submit and session_fetch do. */
enum status unwaited_run(struct session *s, struct loop_job *job, const struct loop_limits *limits, double run_us,
                         struct unwaited *out, struct loop_result *result, struct err *err);

/* How many that is; at most INT32_MAX. */
int32_t unwaited_count(const struct loop_limits *limits, double run_us);

#endif
