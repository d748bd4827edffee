/* SPDX-License-Identifier: Apache-2.0 */
/* summary_text.c - the answer, as the last lines of text: what ran where, how fast, and whether to trust it. */
#include "cmd/benchmark/benchmark_results.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cmd/host/interrupt.h"
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

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
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

/* ---- what ran where ---- */

/* "llvmpipe" of "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL ES 3.2 Mesa 22.3.6": the whole stands above. */
static int short_name(const char *device)
{
    int n = (int)strcspn(device, "(,");

    while (n > 1 && device[n - 1] == ' ')
        n--;
    return n;
}

static enum status add_cpu_share(struct result_section *to, const struct benchmark *b, uint32_t n_cpu, struct err *err)
{
    const struct refusal *why;
    struct arena arena = {0};
    char more[SAY_COUNT_SIZE + 16] = "", some[SAY_COUNT_SIZE];
    uint32_t others;
    enum status st = main_refusal(b, &arena, &why, &others, err);

    if (others)
        snprintf(more, sizeof more, "; %s above", say_count(others, "more reason", some));
    if (!st && why)
        result_wrapped(to, RESULT_TITLE, 4, "  on the CPU: %s; %.63s (%u): %.255s%s", say_count(n_cpu, "node", some), why->op,
                       why->n_nodes, why->text, more);
    arena_free(&arena);
    return st;
}

static enum status add_where(struct result_section *to, const struct benchmark *b, struct err *err)
{
    const struct assignment sum = assignment_of(session_graph(b->session), session_partitioning(b->session));
    const struct delegate *d = b->tool.delegates.opened;
    const uint32_t later = b->dynamic.delegated < sum.n_cpu ? b->dynamic.delegated : sum.n_cpu, n_cpu = sum.n_cpu - later;
    const char *model = base_name(b->flags.graph);
    int32_t threads = b->flags.num_threads < 1 ? 1 : b->flags.num_threads;
    char some[SAY_COUNT_SIZE], others[SAY_COUNT_SIZE], names[64], precision[DELEGATES_PRECISION_SIZE];

    if (!d) {
        result_line(to, RESULT_TITLE, "RESULT %s: %s on the CPU, %s", model, say_count(sum.n_cpu, "node", some),
                    say_count((size_t)threads, "thread", others));
        return ST_OK;
    }
    result_line(to, RESULT_TITLE, "RESULT %s: %u/%u nodes on the %s (%.*s%s%s)", model, sum.n_delegated + later,
                sum.n_delegated + sum.n_cpu, delegates_label(b->tool.delegates.all, names), short_name(d->device), d->device,
                *delegates_precision(b->session, d, precision) ? ", " : "", precision);
    if (later)
        result_line(to, RESULT_TITLE, "  %s of these only once their shapes were known", say_count(later, "node", some));
    return n_cpu ? add_cpu_share(to, b, n_cpu, err) : ST_OK;
}

/* ---- how fast ---- */

static void add_throughput(struct result_section *to, const struct benchmark *b)
{
    char total[SUMMARY_MS_SIZE], each[SUMMARY_MS_SIZE], runs[SAY_COUNT_SIZE];

    result_line(to, RESULT_TITLE, "  throughput %.4g runs/s: %s in %s ms, %s ms each", b->figures.per_sec,
                say_count(b->async.runs, "run", runs), summary_ms(b->async.total_us, total),
                summary_ms(b->figures.timed.avg, each));
}

static void add_latency(struct result_section *to, const struct benchmark *b)
{
    const struct stats *s = &b->figures.timed;
    char median[SUMMARY_MS_SIZE], low[SUMMARY_MS_SIZE], high[SUMMARY_MS_SIZE], line[320] = "";

    if (!isnan(s->median_interval.low))
        snprintf(line, sizeof line, " (95 %%: %s to %s)", summary_ms(s->median_interval.low, low),
                 summary_ms(s->median_interval.high, high));
    for (uint32_t i = 0; i < b->n_percent; i++) {
        const bool largest = b->percent[i] < 100 && b->percentile_us[i] >= s->max;
        size_t n = strlen(line);

        snprintf(line + n, sizeof line - n, "  p%.15g %s%s", b->percent[i], summary_ms(b->percentile_us[i], low),
                 largest ? " max" : "");
    }
    result_wrapped(to, RESULT_TITLE, 4, "  latency %s ms median%s  %.4g runs/s mean", summary_ms(s->median, median), line,
                   b->figures.per_sec);
}

static void add_start(struct result_section *to, const struct benchmark *b)
{
    const struct delegate *d = b->tool.delegates.opened;
    char first[SUMMARY_MS_SIZE], init[SUMMARY_MS_SIZE];

    result_line(to, RESULT_TITLE, "  first %s ms  start %s ms", summary_ms(b->figures.first_us, first),
                summary_ms(b->figures.init_us, init));
    if (b->at_end.peak_bytes)
        result_more(to, "  memory %.0f MB peak", memory_mb(b->at_end.peak_bytes));
    if (d && d->library && d->library->process_bytes)
        result_more(to, ", %.0f MB in the process of %s", memory_mb(d->library->process_bytes), d->type->label);
}

static void add_speed_up(struct result_section *to, const struct cpu_comparison *c)
{
    if (!c->made || isnan(c->speedup.ratio))
        return;
    result_line(to, RESULT_TITLE, "  speed-up %.3g times the CPU", c->speedup.ratio);
    if (!isnan(c->speedup.interval.low))
        result_more(to, " (95 %%: %.3g to %.3g)", c->speedup.interval.low, c->speedup.interval.high);
}

static void add_sustained(struct result_section *to, const struct sustained *s)
{
    char doubts[SUSTAINED_SIZE];

    if (s->n_first && !isnan(s->ratio.ratio))
        result_line(to, RESULT_TITLE, "  sustained last %.3g s: %.3f times as long %s", s->window_secs, s->ratio.ratio,
                    measure_sustained(s, doubts));
}

/* ---- why not to trust it ---- */

enum { MOST_REASONS = 12, FEW_RUNS = 10 };

struct doubts {
    char list[MOST_REASONS][64];
    uint32_t n;
    const char *remedy; /* of the first */
};

__attribute__((format(printf, 3, 4))) static void add_doubt(struct doubts *d, const char *remedy, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(d->list[d->n++], sizeof d->list[0], fmt, ap);
    va_end(ap);
    d->remedy = d->remedy ? d->remedy : remedy;
}

static struct doubts doubts_of(const struct benchmark *b)
{
    const struct bench_figures *f = &b->figures;
    struct machine_advice advice[MACHINE_MAX_ADVICE];
    const size_t n = machine_doubts(b, advice);
    struct doubts d = {0};

    if (b->plausible.beyond)
        add_doubt(&d, "report it", "faster than the device can be");
    for (size_t i = 0; i < n; i++)
        add_doubt(&d, "rerun on an idle, cool machine", "%s", advice[i].brief);
    if (f->scattered)
        add_doubt(&d, "rerun when the machine is idle", "scatter %.0f %%", 100 * f->timed.cv);
    if (f->drifted)
        add_doubt(&d, f->timed.drift > 0 ? "let the device cool" : "warm up longer", "%.0f %% %s at the end",
                  100 * fabs(f->timed.drift), f->timed.drift > 0 ? "slower" : "faster");
    if (b->warmup_result.end == LOOP_UNSTEADY)
        add_doubt(&d, "raise --warmup_max_secs", "warm-up not steady");
    if (!b->async.runs && f->timed.count < FEW_RUNS)
        add_doubt(&d, "raise --num_runs", "only %zu %s", f->timed.count, f->timed.count == 1 ? "run" : "runs");
    if (interrupted())
        add_doubt(&d, "let it finish", "interrupted");
    return d;
}

#define REASONS_SIZE (MOST_REASONS * (64 + 2))

/* All of them, in their order. */
static const char *reasons_of(const struct doubts *d, char out[REASONS_SIZE])
{
    size_t n = 0;

    *out = '\0';
    for (uint32_t i = 0; i < d->n; i++)
        n += (size_t)snprintf(out + n, REASONS_SIZE - n, "%s%s", i ? ", " : "", d->list[i]);
    return out;
}

static void add_trust(struct result_section *to, const struct benchmark *b)
{
    const struct doubts d = doubts_of(b);
    char runs[SAY_COUNT_SIZE], reasons[REASONS_SIZE];

    if (!d.n) {
        result_line(to, RESULT_TITLE | RESULT_GOOD, "  trust OK: %s, scatter %.0f %%",
                    say_count(b->figures.timed.count, "run", runs), 100 * b->figures.timed.cv);
        return;
    }
    result_wrapped(to, RESULT_TITLE | RESULT_FAIR, 4, "  trust LOW: %s: %s", reasons_of(&d, reasons), d.remedy);
}

enum status summary_results(struct results *r, const struct benchmark *b, struct err *err)
{
    struct result_section *to = r->parts[BENCH_SUMMARY];
    enum status st = add_where(to, b, err);

    if (!b->figures.timed.count) {
        result_line(to, RESULT_TITLE, "  no run was timed");
        return st;
    }
    if (b->async.runs)
        add_throughput(to, b);
    else
        add_latency(to, b);
    add_start(to, b);
    add_speed_up(to, &b->versus_cpu);
    add_sustained(to, &b->sustained);
    if (!isnan(machine_joules(b)))
        result_line(to, RESULT_TITLE, "  energy %.3g J an inference, of the whole machine", machine_joules(b));
    add_trust(to, b);
    return st;
}

void summary_table(struct result_section *to, const struct benchmark *b)
{
    static const struct result_column columns[] = {{.title = "model"},
                                                   {.title = "median ms", .right = true},
                                                   {.title = "95 % interval", .right = true},
                                                   {.title = "first ms", .right = true},
                                                   {.title = "start ms", .right = true},
                                                   {.title = "per second", .right = true},
                                                   {.title = "nodes", .right = true},
                                                   {.title = "trust"}};
    const struct assignment sum = assignment_of(session_graph(b->session), session_partitioning(b->session));
    const struct delegate *d = b->tool.delegates.opened;
    const struct stats *s = &b->figures.timed;
    struct result_table *t = results_table(to, columns, sizeof columns / sizeof *columns, NULL);
    const struct doubts doubts = doubts_of(b);
    char low[SUMMARY_MS_SIZE], high[SUMMARY_MS_SIZE], reasons[REASONS_SIZE];
    const double none = s->count ? 0 : NAN;

    result_text(t, "%s", base_name(b->flags.graph));
    result_text(t, "%s", summary_ms(s->median + none, low));
    result_text(t, "%s to %s", summary_ms(s->median_interval.low + none, low), summary_ms(s->median_interval.high + none, high));
    result_text(t, "%s", summary_ms(b->figures.first_us, low));
    result_text(t, "%s", summary_ms(b->figures.init_us, low));
    result_text(t, "%.4g", b->figures.per_sec);
    if (d)
        result_text(t, "%u %s, %u CPU", sum.n_delegated, d->type->label, sum.n_cpu);
    else
        result_text(t, "%u CPU", sum.n_cpu);
    result_text(t, "%s%s", doubts.n ? "LOW: " : "OK", reasons_of(&doubts, reasons));
}
