/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_trace.c - events of a trace, values of nodes. */
#include "cmd/export/op_profile_trace.h"

#include <math.h>

#include "cmd/print/node_data.h"

enum track { TRACK_START = 1, TRACK_RUNS, TRACK_PROFILED, TRACK_CPU, TRACK_DELEGATE, TRACKS };

struct trace {
    struct report *r;
    struct json *events;
    double origin_us;    /* of clock_ns */
    double ends[TRACKS]; /* of each track's last event, from the origin on */
};

/* All events are of one process, a thread per track. */
static struct json *event(const struct trace *t, const char *phase, const char *name, enum track track)
{
    struct json *e = json_object(t->r, t->events, NULL);

    JSON_STRINGS(t->r, e, {"ph", phase}, {"name", name});
    JSON_NUMBERS(t->r, e, {"pid", 1}, {"tid", track});
    return e;
}

static void name_tracks(const struct trace *t, const char *model)
{
    static const char *const names[] = {"start", "runs", "profiled runs", "profiled: CPU", "profiled: delegate"};
    struct json *e = event(t, "M", "process_name", TRACK_START);

    json_string(t->r, json_object(t->r, e, "args"), "name", model);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        e = event(t, "M", "thread_name", TRACK_START + i);
        json_string(t->r, json_object(t->r, e, "args"), "name", names[i]);
    }
}

/* Events of a track do not overlap: clocks are read at other times than work begins and ends. Returns the event's args. */
static struct json *slice(struct trace *t, const char *name, enum track track, double begin_us, double us, const char *clock)
{
    const double begin = begin_us - t->origin_us, end = t->ends[track];
    const bool known = begin >= end; /* NAN is not */
    struct json *e = event(t, "X", name, track), *args;

    JSON_NUMBERS(t->r, e, {"ts", known ? begin : end}, {"dur", us});
    t->ends[track] = (known ? begin : end) + us;
    args = json_object(t->r, e, "args");
    json_string(t->r, args, "begin", known ? clock : "previous");
    return args;
}

static void put_args(struct report *r, struct json *args, const struct op_row *row)
{
    json_string(r, args, "name", row->name);
    if (row->detail)
        json_string(r, args, "variant", row->detail);
    if (op_row_copies(row))
        json_string(r, args, "copy_reason", row->why_copy);
    if (row->tensor)
        json_string(r, args, "output", TENSOR_TEXT(row->tensor));
    if (row->work.macs_known && row->work.macs)
        json_number(r, args, "macs", (double)row->work.macs);
    if (row->work.bytes_known && row->work.bytes)
        json_number(r, args, "bytes", (double)row->work.bytes);
}

/* Model, device and session begin when they began; what the session did in between is known as sums, in this order. */
static void put_start(struct trace *t, const struct phases *start, const struct bench_times *times)
{
    double begins[] = {times->load_begin_us, times->open_begin_us, times->prepare_begin_us};

    for (uint32_t i = 0; i < start->n; i++) {
        double *begin = &begins[i < 2 ? i : 2];

        if (start->parts[i].us > 0) {
            slice(t, start->parts[i].name, TRACK_START, *begin, start->parts[i].us, "host");
            *begin = NAN;
        }
    }
}

static void put_samples(struct trace *t, const char *name, const struct samples *s)
{
    for (size_t i = 0; i < s->n; i++)
        slice(t, name, TRACK_RUNS, s->begins ? s->begin_us[i] : NAN, s->us[i], "host");
}

/* Those that count and those that do not, in the order of time. */
static void put_timed(struct trace *t, const struct bench_times *times)
{
    const struct left_out *l = &times->left_out;
    const struct samples *s = &times->timed;

    for (size_t i = 0, k = 0; i <= s->n; i++) {
        for (; k < l->n && l->runs[k].before == i; k++)
            slice(t, "run left out", TRACK_RUNS, l->runs[k].begin_us, l->runs[k].us, "host");
        if (i < s->n)
            slice(t, "timed run", TRACK_RUNS, s->begins ? s->begin_us[i] : NAN, s->us[i], "host");
    }
}

static void put_rows(struct trace *t, const struct op_profile *p, uint32_t run)
{
    for (size_t i = 0; i < p->n_rows; i++) {
        const struct op_row *row = &p->rows[i];
        const enum track track = row->partition < 0 ? TRACK_CPU : TRACK_DELEGATE;

        if (row->timed)
            put_args(t->r, slice(t, row->type, track, row->begin_us[run], row->us[run], row->device_clock ? "device" : "host"),
                     row);
    }
}

/* A run lasts as long as its rows, where a driver's times add up to more than passed. */
static void put_profiled(struct trace *t, const struct op_profile *p, uint32_t run)
{
    const double begin = fmax(p->begin_us[run] - t->origin_us, t->ends[TRACK_PROFILED]);
    double end;

    t->ends[TRACK_CPU] = t->ends[TRACK_DELEGATE] = begin;
    put_rows(t, p, run);
    end = fmax(t->ends[TRACK_CPU], t->ends[TRACK_DELEGATE]);
    slice(t, "profiled run", TRACK_PROFILED, begin + t->origin_us, fmax(end - begin, p->wall_us[run]), "host");
}

static void counter(const struct trace *t, const char *name, const char *unit, double at_us, double value)
{
    struct json *e;

    if (isnan(value) || !(at_us >= t->origin_us))
        return;
    e = event(t, "C", name, TRACK_RUNS);
    json_number(t->r, e, "ts", at_us - t->origin_us);
    json_number(t->r, json_object(t->r, e, "args"), unit, value);
}

static void put_counters(const struct trace *t, const struct machine_track *m)
{
    for (size_t i = 0; i < m->n; i++) {
        const struct machine_point *p = &m->points[i];

        counter(t, "CPU clock", "MHz", p->at_us, p->cpu_mhz);
        counter(t, "hottest zone", "degrees C", p->at_us, p->hottest_c);
        counter(t, "resident memory", "MB", p->at_us, p->resident_b / 1e6);
    }
}

void op_profile_trace(struct report *r, const char *model, const struct phases *start, const struct bench_times *times,
                      const struct op_profile *p, const struct machine_track *machine)
{
    struct json *root = report_root(r);
    struct trace t = {.r = r, .events = json_array(r, root, "traceEvents"), .origin_us = times->load_begin_us};

    json_string(r, root, "displayTimeUnit", "ms");
    name_tracks(&t, model);
    put_start(&t, start, times);
    put_samples(&t, "warm-up run", &times->warmup);
    put_timed(&t, times);
    for (uint32_t i = 0; i < p->runs; i++)
        put_profiled(&t, p, i);
    put_counters(&t, machine);
}

static bool ms_of_row(const void *arg, size_t i, struct node_value *out)
{
    const struct op_profile *p = arg;
    const struct op_row *row = &p->rows[i];

    if (!row->n_nodes || !row->tensor)
        return false;
    *out = (struct node_value){row->tensor->name, row->sum_us / p->runs / 1e3};
    return true;
}

void op_profile_nodes(struct report *r, const struct op_profile *p)
{
    node_data_put(r, &(struct node_values){p->n_rows, ms_of_row, p, .add_up = true});
}
