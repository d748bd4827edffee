/* SPDX-License-Identifier: Apache-2.0 */
/* machine_results.c - the machine around the timed runs: its state, runs that it slowed down, its energy. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "cmd/benchmark/benchmark_results.h"
#include "cmd/host/environment.h"
#include "cmd/host/say.h"

static void put_state(struct report *r, struct json *in, const char *key, const struct machine_state *m)
{
    struct json *o = json_object(r, in, key);

    JSON_NUMBERS(r, o, {"cpu_mhz", m->cpu_mhz}, {"cpu_max_mhz", m->cpu_max_mhz}, {"hottest_celsius", m->hottest_c});
    json_string(r, o, "hottest_zone", *m->hottest ? m->hottest : NULL);
    JSON_NUMBERS(r, o, {"throttled", m->throttled}, {"load_average", m->load_average}, {"quota_stopped_ms", m->stopped_ms});
}

size_t machine_doubts(const struct benchmark *b, struct machine_advice advice[MACHINE_MAX_ADVICE])
{
    const struct machine_state *start = &b->machine_start;
    struct machine_state end = b->machine_end;

    if (b->measure.leave_out_disturbed) {
        end.cpu_mhz = start->cpu_mhz;
        end.throttled = start->throttled;
        end.stopped_ms = start->stopped_ms;
    }
    return machine_advice(start, &end, environment_read().cores, advice);
}

static void add_machine(struct results *r, struct json *in, const struct benchmark *b)
{
    struct machine_advice advice[MACHINE_MAX_ADVICE];
    size_t n = machine_doubts(b, advice);
    struct result_section *to = r->parts[BENCH_DOUBTS];
    struct json *o = json_object(r->report, in, "machine"), *list;

    put_state(r->report, o, "at_start", &b->machine_start);
    put_state(r->report, o, "at_end", &b->machine_end);
    list = json_array(r->report, o, "advice");
    for (size_t i = 0; i < n; i++) {
        json_string(r->report, list, NULL, advice[i].text);
        result_line(to, RESULT_ALERT, "%s", advice[i].text);
        result_line(to, RESULT_CAUTION, "%c%s.", toupper((unsigned char)*advice[i].text), advice[i].text + 1);
    }
}

/* ---- runs that do not count ---- */

static size_t count_left_out(const struct left_out *l, uint32_t kind)
{
    size_t n = 0;

    for (size_t i = 0; i < l->n; i++)
        n += (l->runs[i].why >> kind) & 1;
    return n;
}

static void put_words(struct report *r, struct json *in, const char *key, uint32_t kinds)
{
    struct json *list = json_array(r, in, key);

    for (uint32_t i = 0; i < DISTURBANCES; i++)
        if ((kinds >> i) & 1)
            json_string(r, list, NULL, disturbance_word(i));
}

static void put_left_out(struct report *r, struct json *in, const struct benchmark *b)
{
    const struct left_out *l = &b->times.left_out;
    struct json *o, *list;

    if (!json_given(r, in, "left_out", b->measure.leave_out_disturbed))
        return;
    o = json_object(r, in, "left_out");
    put_words(r, o, "told", disturbance_known(&b->disturbances));
    json_number(r, o, "count", (double)l->n);
    for (uint32_t i = 0; i < DISTURBANCES; i++)
        json_number(r, o, disturbance_word(i), (double)count_left_out(l, i));
    json_number(r, o, "waited_seconds", b->disturbances.waited_secs);
    list = json_array(r, o, "runs");
    for (size_t i = 0; i < l->n; i++) {
        struct json *run = json_object(r, list, NULL);

        JSON_NUMBERS(r, run, {"before", (double)l->runs[i].before}, {"us", l->runs[i].us});
        put_words(r, run, "why", l->runs[i].why);
    }
}

static void add_left_out(struct results *results, struct json *in, const struct benchmark *b)
{
    struct result_section *to = results->parts[BENCH_DOUBTS];
    const struct left_out *l = &b->times.left_out;
    char runs[SAY_COUNT_SIZE];

    put_left_out(results->report, in, b);
    if (!b->measure.leave_out_disturbed)
        return;
    result_line(to, RESULT_DOUBT, "Left out: %zu of %s (clock %zu, heat %zu, quota %zu)", l->n,
                say_count(l->n + b->times.timed.n, "timed run", runs), count_left_out(l, 0), count_left_out(l, 1),
                count_left_out(l, 2));
    if (b->disturbances.waited_secs > 0)
        result_more(to, "; waited %.3g s for the machine to recover", b->disturbances.waited_secs);
    if (l->n && !b->times.timed.n)
        result_line(to, RESULT_WARNING, "every timed run was left out, so that no figure is left: --recover_secs waits longer");
}

/* ---- energy ---- */

static double inferences_of(const struct benchmark *b)
{
    const size_t runs = b->async.runs ? b->async.runs : b->times.timed.n + b->times.left_out.n;

    return (double)runs * session_inferences(b->session);
}

static double an_inference(const struct benchmark *b, double joules)
{
    const double n = inferences_of(b);

    return n > 0 ? joules / n : NAN;
}

/* Of all that is in a sum. A reading may lie just before or just behind an update, at either end. */
static double step_of(const struct energy *e)
{
    double step = 0;

    for (size_t i = 0; i < e->n; i++)
        if (e->meters[i].in_sum && e->meters[i].joules > 0)
            step += e->meters[i].step;
    return step;
}

static void put_energy(struct report *r, struct json *in, const struct benchmark *b)
{
    const struct energy *e = &b->energy;
    struct json *o, *list;

    if (!json_given(r, in, "energy", b->measure.energy))
        return;
    o = json_object(r, in, "energy");
    json_string(r, o, "why_not", e->n ? NULL : e->why_not);
    JSON_NUMBERS(r, o, {"inferences", inferences_of(b)}, {"seconds", (double)(e->last_ns - e->begin_ns) / 1e9},
                 {"joules", energy_sum(e)}, {"joules_per_inference", an_inference(b, energy_sum(e))});
    list = json_array(r, o, "meters");
    for (size_t i = 0; i < e->n; i++) {
        const struct energy_meter *m = &e->meters[i];
        struct json *meter = json_object(r, list, NULL);

        JSON_STRINGS(r, meter, {"name", m->name}, {"source", energy_word(m->source)});
        JSON_NUMBERS(r, meter, {"joules", m->joules}, {"step_joules", m->step});
        json_bool(r, meter, "in_sum", m->in_sum);
    }
}

/* Those beside the sum: parts of it, rails, a battery's slow counter. */
static void add_meters(struct result_section *to, const struct benchmark *b)
{
    for (size_t i = 0; i < b->energy.n; i++) {
        const struct energy_meter *m = &b->energy.meters[i];

        if (m->joules > 0)
            result_line(to, RESULT_INFO, "Energy of %s (%s): %.4g J, %.4g J an inference", m->name, energy_word(m->source),
                        m->joules, an_inference(b, m->joules));
        else
            result_line(to, RESULT_INFO, "Energy of %s (%s): less than one of its steps", m->name, energy_word(m->source));
        if (m->joules > 0 && isfinite(m->step))
            result_more(to, ", to %.2g J", an_inference(b, m->step));
    }
}

static void add_energy(struct results *results, struct json *in, const struct benchmark *b)
{
    struct result_section *to = results->parts[BENCH_DOUBTS];
    const double sum = energy_sum(&b->energy), step = step_of(&b->energy);
    char count[SAY_COUNT_SIZE];

    put_energy(results->report, in, b);
    if (!b->measure.energy)
        return;
    if (!b->energy.n) {
        result_line(to, RESULT_INFO, "Energy: not measured here: %s", b->energy.why_not);
        return;
    }
    add_meters(to, b);
    if (isnan(sum))
        return;
    result_line(to, RESULT_INFO, "Energy: %.4g J an inference of the whole machine, %s in %.3g s", an_inference(b, sum),
                say_count((size_t)inferences_of(b), "inference", count), (double)(b->energy.last_ns - b->energy.begin_ns) / 1e9);
    if (isfinite(step))
        result_more(to, "; the counter's steps make that uncertain by %.2g J", an_inference(b, step));
}

double machine_joules(const struct benchmark *b)
{
    return an_inference(b, energy_sum(&b->energy));
}

void machine_results(struct results *results, struct json *in, const struct benchmark *b)
{
    add_machine(results, in, b);
    add_left_out(results, in, b);
    add_energy(results, in, b);
}
