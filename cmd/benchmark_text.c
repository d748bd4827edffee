/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_text.c - the results as TFLite's benchmark_model prints them: scripts look for these lines. */
#include <math.h>

#include "benchmark.h"
#include "say.h"

#define NOISY_CV    0.1
#define NOISY_DRIFT 0.1

double benchmark_init_us(const struct benchmark *b)
{
    return floor(b->load_us + b->open_us + b->prepare_us);
}

double benchmark_first_us(const struct benchmark *b)
{
    return b->warmup.us.count ? b->warmup.us.first : b->timed.us.first;
}

void benchmark_say_loop(const struct loop_limits *l)
{
    say_info("Running benchmark for at least %d iterations and at least %g seconds but terminate if exceeding %g seconds.",
             l->min_runs, l->min_secs, l->max_secs);
}

void benchmark_say_phase(const struct phase *p)
{
    char line[320];

    say_info("%s\n", stats_line(&p->us, true, line, sizeof line));
}

static double megabytes_since(uint64_t then, uint64_t now)
{
    return now > then ? (double)(now - then) / (1 << 20) : 0;
}

static void say_memory(const struct benchmark *b)
{
    struct session_memory m;

    say_info("Note: as the benchmark tool itself affects memory footprint, the following is only APPROXIMATE to the actual "
             "memory footprint of the model at runtime. Take the information at your discretion.");
    say_info("Memory footprint delta from the start of the tool (MB): init=%g overall=%g",
             megabytes_since(b->at_start.peak_bytes, b->at_init.peak_bytes),
             megabytes_since(b->at_start.peak_bytes, b->at_end.peak_bytes));
    session_memory(b->session, &m);
    say_info("CPU memory (MB): tensors=%.3f lower_bound=%.3f packed_weights=%.3f scratch=%.3f", (double)m.arena_bytes / 1e6,
             (double)m.lower_bound_bytes / 1e6, (double)m.packed_bytes / 1e6, (double)m.scratch_bytes / 1e6);
    if (b->tool.delegates.opened)
        say_info("%s memory (MB): tensors=%.3f lower_bound=%.3f unshared=%.3f constants=%.3f staging=%.3f; %u programs, "
                 "%u dispatches, %u barriers",
                 b->tool.delegates.opened->type->label, (double)m.delegate.intermediates / 1e6,
                 (double)m.delegate.lower_bound / 1e6, (double)m.delegate.unshared / 1e6, (double)m.delegate.constants / 1e6,
                 (double)m.delegate.staging / 1e6, m.delegate.programs, m.delegate.dispatches, m.delegate.barriers);
}

/* Says when the average should not be trusted: the runs scatter, or became slower or faster. */
static void warn_noise(const struct stats *s)
{
    if (s->cv > NOISY_CV && s->count >= 10)
        say_warn("the run times scatter by %.0f%% of their mean (%zu outliers in %zu): is something else running? median=%.0f "
                 "is steadier than avg=%g",
                 100 * s->cv, s->outliers, s->count, s->median, s->avg);
    if (fabs(s->drift) > NOISY_DRIFT && s->count >= 20)
        say_warn("the last quarter of the runs is %.0f%% %s than the first: %s", 100 * fabs(s->drift),
                 s->drift > 0 ? "slower" : "faster",
                 s->drift > 0 ? "the machine may be throttling" : "more warm-up runs would help");
}

static enum status say_init_profile(const struct benchmark *b, struct err *err)
{
    struct op_profile p = {0};
    enum status st = op_profile_add(&p, "LoadModel", b->load_us, err);

    if (!st && b->tool.delegates.opened)
        st = op_profile_add(&p, "OpenDelegate", b->open_us, err);
    if (!st)
        st = op_profile_add(&p, "PrepareSession", b->prepare_us, err);
    if (!st)
        st = op_profile_say(&p, "Profiling Info for Benchmark Initialization:", err);
    arena_free(&p.arena);
    return st;
}

enum status benchmark_say_results(const struct benchmark *b, struct err *err)
{
    enum status st;

    say_info("Inference timings in us: Init: %.0f, First inference: %.0f, Warmup (avg): %g, Inference (avg): %g",
             benchmark_init_us(b), benchmark_first_us(b), b->warmup.us.avg, b->timed.us.avg);
    say_memory(b);
    warn_noise(&b->timed.us);
    if (!b->profile.runs)
        return ST_OK;
    if ((st = say_init_profile(b, err)))
        return st;
    return op_profile_say(&b->profile, "Operator-wise Profiling Info for Regular Benchmark Runs:", err);
}
