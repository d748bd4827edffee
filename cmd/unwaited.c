/* SPDX-License-Identifier: Apache-2.0 */
/* unwaited.c - see unwaited.h */
#include "unwaited.h"

#include <math.h>

#include "../lib/clock.h"

static enum status submit(void *session, struct err *err)
{
    return session_submit(session, err);
}

/* Handing over takes no time to speak of, so that seconds of it would be hours of work. */
int32_t unwaited_count(const struct loop_limits *limits, double run_us)
{
    const bool wanted = limits->min_runs > 0 || limits->min_secs > 0;
    double n = fmax(limits->min_runs, wanted);

    if (wanted && run_us > 0) {
        n = fmax(n, ceil(limits->min_secs * 1e6 / run_us));
        n = fmin(n, fmax(1, limits->max_secs * 1e6 / run_us));
    }
    return (int32_t)fmin(n, INT32_MAX);
}

enum status unwaited_run(struct session *s, struct loop_job *job, const struct loop_limits *limits, double run_us,
                         struct unwaited *out, struct loop_result *result, struct err *err)
{
    const struct loop_limits runs = {.min_runs = unwaited_count(limits, run_us), .max_secs = limits->max_secs};
    struct samples handed_over = {0};
    uint64_t start = clock_ns();
    enum status st;

    job->run = submit;
    job->arg = s;
    st = bench_loop(job, &runs, &handed_over, result, err);
    if (!st)
        st = session_wait(s, err);
    *out = (struct unwaited){handed_over.n, (double)(clock_ns() - start) / 1e3, session_n_waits(s)};
    result->secs = out->total_us / 1e6;
    samples_free(&handed_over);
    return st;
}
