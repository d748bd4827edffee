/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_comparison.c - turns for two sessions, and what their times say. */
#include "cmd/benchmark/cpu_comparison.h"

#include "cmd/host/interrupt.h"
#include "cmd/print/progress.h"
#include "lib/measure/interleave.h"
#include "lib/measure/session_runs.h"

/* Any fixed number: the same samples give the same interval. */
enum { SEED = 1 };

/* The two share the limits' seconds as interleave says; a failed run of either fails the whole. */
static enum status take_turns(struct contender both[2], const struct loop_limits *limits, struct err *err)
{
    struct progress progress = {.what = "delegate and CPU in turns",
                                .min_runs = limits->min_runs,
                                .min_secs = 2 * limits->min_secs,
                                .max_secs = 2 * limits->max_secs};
    struct loop_job watch = {.stop = interrupted, .progress = progress_show, .progress_arg = &progress};
    struct loop_result result;
    enum status st = interleave(both, 2, &watch, limits, &result, err);

    progress_end(&progress);
    for (int i = 0; i < 2 && !st; i++)
        if ((st = both[i].failed))
            *err = both[i].err;
    return st;
}

static enum status compare(struct cpu_comparison *c, struct err *err)
{
    const struct samples *d = &c->delegate, *cpu = &c->cpu;
    enum status st;

    if ((st = stats_of(d->us, d->n, &c->delegate_stats, err)) || (st = stats_of(cpu->us, cpu->n, &c->cpu_stats, err)) ||
        (st = median_ratio(d->us, d->n, cpu->us, cpu->n, SEED, &c->speedup, err)))
        return st;
    c->made = true;
    return mann_whitney(d->us, d->n, cpu->us, cpu->n, &c->test, err);
}

enum status cpu_comparison_run(struct cpu_comparison *c, struct session *delegate, struct session *cpu,
                               const struct loop_limits *warmup, const struct loop_limits *timed, struct err *err)
{
    struct contender both[2] = {{.run = session_runs_once,
                                 .arg = delegate,
                                 .inferences = session_inferences(delegate),
                                 .outside_ns = session_runs_outside_ns},
                                {.run = session_runs_once, .arg = cpu}};
    enum status st = take_turns(both, warmup, err);

    both[0].samples.n = both[1].samples.n = 0;
    if (!st)
        st = take_turns(both, timed, err);
    c->delegate = both[0].samples;
    c->cpu = both[1].samples;
    return st ? st : compare(c, err);
}

void cpu_comparison_free(struct cpu_comparison *c)
{
    samples_free(&c->delegate);
    samples_free(&c->cpu);
}
