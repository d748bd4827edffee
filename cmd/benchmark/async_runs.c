/* SPDX-License-Identifier: Apache-2.0 */
/* async_runs.c - see async_runs.h */
#include "cmd/benchmark/async_runs.h"

#include <math.h>

#include "lib/base/clock.h"

struct stream {
    struct session *session;
    uint32_t pending, ahead;
};

/* One run more, and the outputs of the one that it lets go. */
static enum status stream_run(void *arg, struct err *err)
{
    struct stream *s = arg;
    enum status st = session_submit(s->session, err);

    if (st || s->pending == s->ahead)
        return st ? st : session_fetch(s->session, err);
    s->pending++;
    return ST_OK;
}

const char *async_outputs(const struct async_runs *u)
{
    if (u->ahead == UINT32_MAX)
        return "their outputs left on the device";
    return u->ahead ? "the outputs of each read while the device had the next" : "the outputs of each read before the next";
}

/* Handing over takes no time to speak of, so that seconds of it would be hours of work. */
int32_t async_count(const struct loop_limits *limits, double run_us)
{
    const bool wanted = limits->min_runs > 0 || limits->min_secs > 0;
    double n = fmax(limits->min_runs, wanted);

    if (wanted && run_us > 0) {
        n = fmax(n, ceil(limits->min_secs * 1e6 / run_us));
        n = fmin(n, fmax(1, limits->max_secs * 1e6 / run_us));
    }
    return (int32_t)fmin(n, INT32_MAX);
}

enum status async_run(struct session *s, struct loop_job *job, const struct loop_limits *limits, double run_us,
                      struct async_runs *out, struct loop_result *result, struct err *err)
{
    const struct loop_limits runs = {.min_runs = async_count(limits, run_us), .max_secs = limits->max_secs};
    struct stream stream = {.session = s, .ahead = session_ahead(s)};
    struct samples handed_over = {0};
    uint64_t start = clock_ns();
    enum status st;

    job->run = stream_run;
    job->arg = &stream;
    job->outside_ns = NULL; /* it is asked of a session; delegates that run elsewhere take no run ahead */
    st = bench_loop(job, &runs, &handed_over, result, err);
    if (!st)
        st = session_wait(s, err);
    *out = (struct async_runs){handed_over.n, (double)(clock_ns() - start) / 1e3, session_n_waits(s), stream.ahead};
    result->secs = out->total_us / 1e6;
    samples_free(&handed_over);
    return st;
}
