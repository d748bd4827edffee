/* SPDX-License-Identifier: Apache-2.0 */
/* summary_text.c - the answer, as the last lines of text: how fast, and what ran where. */
#include "cmd/benchmark/benchmark_results.h"

#include <math.h>
#include <string.h>

#include "cmd/host/say.h"
#include "lib/delegate/assignment.h"

const char *summary_ms(double us, char out[SUMMARY_MS_SIZE])
{
    double ms = us / 1e3;

    if (isnan(us))
        snprintf(out, SUMMARY_MS_SIZE, "?");
    else if (fabs(ms) >= 1000)
        snprintf(out, SUMMARY_MS_SIZE, "%.0f", ms);
    else
        snprintf(out, SUMMARY_MS_SIZE, "%.4g", ms);
    return out;
}

static void add_times(struct result_section *to, const struct benchmark *b)
{
    const struct stats *s = &b->figures.timed;
    char median[SUMMARY_MS_SIZE], low[SUMMARY_MS_SIZE], high[SUMMARY_MS_SIZE], line[320] = "";

    if (!s->count) {
        result_line(to, RESULT_LOG, "No run was timed.");
        return;
    }
    if (b->async.runs) {
        result_line(to, RESULT_LOG, "%.4g inferences per second: %s, all done after %s ms, %s ms each", b->figures.per_sec,
                    say_count(b->async.runs, "run", line), summary_ms(b->async.total_us, low), summary_ms(s->avg, median));
        return;
    }
    if (!isnan(s->median_interval.low))
        snprintf(line, sizeof line, " (95 %% interval %s to %s)", summary_ms(s->median_interval.low, low),
                 summary_ms(s->median_interval.high, high));
    for (uint32_t i = 0; i < b->n_percent; i++) {
        size_t n = strlen(line);

        snprintf(line + n, sizeof line - n, ", p%.15g %s ms", b->percent[i], summary_ms(b->percentile_us[i], low));
    }
    result_line(to, RESULT_LOG, "Median %s ms%s: %.4g inferences per second", summary_ms(s->median, median), line,
                b->figures.per_sec);
}

/* The reason that keeps most nodes from the delegate; NULL where there is none. */
static enum status main_refusal(const struct benchmark *b, struct arena *a, const struct refusal **out, uint32_t *others,
                                struct err *err)
{
    struct refusal *all;
    uint32_t n;
    enum status st = assignment_refusals(session_graph(b->session), session_partitioning(b->session), a, &all, &n, err);

    *out = NULL;
    for (uint32_t i = 0; !st && i < n; i++)
        if (!*out || all[i].n_nodes > (*out)->n_nodes)
            *out = &all[i];
    *others = st || !n ? 0 : n - 1;
    return st;
}

static enum status add_where(struct result_section *to, const struct benchmark *b, struct err *err)
{
    const struct assignment sum = assignment_of(session_graph(b->session), session_partitioning(b->session));
    const struct delegate *d = b->tool.delegates.opened;
    const uint32_t later = b->dynamic.delegated < sum.n_cpu ? b->dynamic.delegated : sum.n_cpu, n_cpu = sum.n_cpu - later;
    int32_t threads = b->flags.num_threads < 1 ? 1 : b->flags.num_threads;
    const struct refusal *why;
    struct arena arena = {0};
    char more[SAY_COUNT_SIZE + 16] = "", some[SAY_COUNT_SIZE], late[64] = "";
    uint32_t others;
    enum status st;

    if (!d) {
        result_line(to, RESULT_LOG, "Requested: the CPU. Used: the CPU with %d %s for %s", (int)threads,
                    threads == 1 ? "thread" : "threads", say_count(sum.n_cpu, "node", some));
        return ST_OK;
    }
    if ((st = main_refusal(b, &arena, &why, &others, err)))
        goto out;
    if (others)
        snprintf(more, sizeof more, "; %s above", say_count(others, "more reason", some));
    if (later)
        snprintf(late, sizeof late, " and %u more once their shapes were known", later);
    if (why && n_cpu)
        result_line(to, RESULT_LOG, "Requested: %s. Used: %s for %s%s, the CPU for %u: %.63s (%u): %.255s%s", d->type->label,
                    d->device, say_count(sum.n_delegated, "node", some), late, n_cpu, why->op, why->n_nodes, why->text, more);
    else
        result_line(to, RESULT_LOG, "Requested: %s. Used: %s for %s%s", d->type->label, d->device,
                    say_count(sum.n_delegated, "node", some), late);
out:
    arena_free(&arena);
    return st;
}

enum status summary_results(struct results *r, const struct benchmark *b, struct err *err)
{
    add_times(r->parts[BENCH_SUMMARY], b);
    return add_where(r->parts[BENCH_SUMMARY], b, err);
}
