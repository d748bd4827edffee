/* SPDX-License-Identifier: Apache-2.0 */
/* measure_json.c - "measurement" of benchmark_model's report: how it was measured, and what speaks against the figures. */
#include "cmd/benchmark/measure_json.h"

#include <math.h>

#include "cmd/host/environment.h"
#include "cmd/tool/report_parts.h"
#include "lib/base/clock.h"

static void put_phase(struct report *r, struct json *in, const char *key, const struct loop_result *result)
{
    static const char *const ends[] = {[LOOP_MINIMA] = "minima",
                                       [LOOP_STEADY] = "steady",
                                       [LOOP_UNSTEADY] = "unsteady",
                                       [LOOP_MAX_SECS] = "max_secs",
                                       [LOOP_STOPPED] = "interrupted"};
    struct json *o = json_object(r, in, key);

    json_string(r, o, "end", ends[result->end]);
    json_number(r, o, "seconds", result->secs);
}

static void put_percentiles(struct report *r, struct json *in, const struct benchmark *b)
{
    struct json *list = json_array(r, in, "percentiles");

    for (uint32_t i = 0; i < b->n_percent; i++) {
        struct json *o = json_object(r, list, NULL);

        JSON_NUMBERS(r, o, {"percent", b->percent[i]}, {"us", b->percentile_us[i]});
    }
}

static void put_state(struct report *r, struct json *in, const char *key, const struct machine_state *m)
{
    struct json *o = json_object(r, in, key);

    JSON_NUMBERS(r, o, {"cpu_mhz", m->cpu_mhz}, {"cpu_max_mhz", m->cpu_max_mhz}, {"hottest_celsius", m->hottest_c});
    json_string(r, o, "hottest_zone", *m->hottest ? m->hottest : NULL);
    JSON_NUMBERS(r, o, {"throttled", m->throttled}, {"load_average", m->load_average}, {"quota_stopped_ms", m->stopped_ms});
}

static void put_machine(struct report *r, struct json *in, const struct benchmark *b)
{
    char advice[MACHINE_MAX_ADVICE][MACHINE_ADVICE_SIZE];
    size_t n = machine_advice(&b->machine_start, &b->machine_end, environment_read().cores, advice);
    struct json *o = json_object(r, in, "machine"), *list;

    put_state(r, o, "at_start", &b->machine_start);
    put_state(r, o, "at_end", &b->machine_end);
    list = json_array(r, o, "advice");
    for (size_t i = 0; i < n; i++)
        json_string(r, list, NULL, advice[i]);
}

void measure_put_ratio(struct report *r, struct json *in, const char *key, const struct median_ratio *ratio,
                       const struct mann_whitney *test)
{
    struct json *o = json_object(r, in, key);

    JSON_NUMBERS(r, o, {"ratio", ratio->ratio}, {"low", ratio->interval.low}, {"high", ratio->interval.high}, {"p", test->p});
}

static void put_sustained(struct report *r, struct json *in, const struct sustained *s)
{
    struct json *o;

    if (!s->n_first) {
        json_null(r, in, "sustained");
        return;
    }
    o = json_object(r, in, "sustained");
    JSON_NUMBERS(r, o, {"window_seconds", s->window_secs}, {"first_count", (double)s->n_first}, {"last_count", (double)s->n_last},
                 {"first_us", s->first_us}, {"last_us", s->last_us});
    measure_put_ratio(r, o, "last_over_first", &s->ratio, &s->test);
}

static void put_versus_cpu(struct report *r, struct json *in, const struct cpu_comparison *c)
{
    struct json *o;

    if (!c->made) {
        json_null(r, in, "compare_cpu");
        return;
    }
    o = json_object(r, in, "compare_cpu");
    report_stats(r, o, "delegate_us", &c->delegate_stats, c->delegate.us);
    report_stats(r, o, "cpu_us", &c->cpu_stats, c->cpu.us);
    measure_put_ratio(r, o, "speedup", &c->speedup, &c->test);
}

static void put_plausible(struct report *r, struct json *in, const struct plausible *p, const struct op_profile *profile)
{
    struct json *o;

    if (!(p->peak.gflops > 0)) {
        json_null(r, in, "plausible");
        return;
    }
    o = json_object(r, in, "plausible");
    JSON_NUMBERS(r, o, {"gflops", p->gflops}, {"peak_gflops", p->peak.gflops},
                 {"peak_half_gflops", p->peak.half_gflops > 0 ? p->peak.half_gflops : NAN}, {"peak_gbytes_per_s", p->peak.gbytes},
                 {"peak_read_gbytes_per_s", p->peak.read_gbytes}, {"limit_percent", op_profile_delegate_percent(profile)});
    json_bool(r, o, "beyond", p->beyond);
}

static void put_async(struct report *r, struct json *in, const struct benchmark *b)
{
    struct json *o;

    json_number(r, in, "inferences_per_run", session_inferences(b->session));
    if (!b->async.runs) {
        json_null(r, in, "unwaited");
        return;
    }
    o = json_object(r, in, "unwaited");
    JSON_NUMBERS(r, o, {"runs", (double)b->async.runs}, {"total_us", b->async.total_us}, {"waits_per_run", b->async.waits});
    json_string(r, o, "outputs_read", b->async.ahead == UINT32_MAX ? "never" : b->async.ahead ? "during_next" : "before_next");
}

void measure_put(struct report *r, const struct benchmark *b)
{
    struct json *o = json_object(r, report_root(r), "measurement");

    json_number(r, o, "elapsed_seconds", (double)(clock_ns() - b->start_ns) / 1e9);
    put_phase(r, o, "warmup", &b->warmup_result);
    put_phase(r, o, "inference", &b->timed_result);
    put_percentiles(r, o, b);
    json_number(r, o, "inferences_per_second", b->figures.per_sec);
    json_bool(r, o, "scattered", b->figures.scattered);
    json_bool(r, o, "drifted", b->figures.drifted);
    put_machine(r, o, b);
    put_sustained(r, o, &b->sustained);
    put_versus_cpu(r, o, &b->versus_cpu);
    if (b->submission_stats.count)
        report_stats(r, o, "submission_us", &b->submission_stats, b->submission.us);
    else
        json_null(r, o, "submission_us");
    put_async(r, o, b);
    put_plausible(r, o, &b->plausible, &b->profile);
}
