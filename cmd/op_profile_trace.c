/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_trace.c - events of a trace, values of nodes. */
#include "op_profile_trace.h"

#include <string.h>

enum track { TRACK_START = 1, TRACK_RUNS, TRACK_PROFILED, TRACK_CPU, TRACK_DELEGATE };

/* All events are of one process, a thread per track. */
static struct json *event(struct report *r, struct json *events, const char *phase, const char *name, enum track track)
{
    struct json *e = json_object(r, events, NULL);

    json_string(r, e, "ph", phase);
    json_string(r, e, "name", name);
    json_number(r, e, "pid", 1);
    json_number(r, e, "tid", track);
    return e;
}

static void name_tracks(struct report *r, struct json *events, const char *model)
{
    static const char *const names[] = {"start", "runs", "profiled runs", "profiled: CPU", "profiled: delegate"};
    struct json *e = event(r, events, "M", "process_name", TRACK_START);

    json_string(r, json_object(r, e, "args"), "name", model);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        e = event(r, events, "M", "thread_name", TRACK_START + i);
        json_string(r, json_object(r, e, "args"), "name", names[i]);
    }
}

/* Moves *at to its end. */
static struct json *slice(struct report *r, struct json *events, const char *name, enum track track, double *at, double us)
{
    struct json *e = event(r, events, "X", name, track);

    json_number(r, e, "ts", *at);
    json_number(r, e, "dur", us);
    *at += us;
    return e;
}

static void put_args(struct report *r, struct json *e, const struct op_row *row)
{
    struct json *args = json_object(r, e, "args");

    json_string(r, args, "name", row->name);
    if (row->detail)
        json_string(r, args, "variant", row->detail);
    if (row->tensor)
        json_string(r, args, "output", TENSOR_TEXT(row->tensor));
    if (row->work.macs_known && row->work.macs)
        json_number(r, args, "macs", (double)row->work.macs);
    if (row->work.bytes_known && row->work.bytes)
        json_number(r, args, "bytes", (double)row->work.bytes);
}

static void put_samples(struct report *r, struct json *events, const char *name, const struct samples *s, double *at)
{
    for (size_t i = 0; i < s->n; i++)
        slice(r, events, name, TRACK_RUNS, at, s->us[i]);
}

/* A run lasts as long as its rows, where a driver's times add up to more than passed. */
static void put_profiled(struct report *r, struct json *events, const struct op_profile *p, uint32_t run, double *at)
{
    double rows = *at;

    for (size_t i = 0; i < p->n_rows; i++)
        if (p->rows[i].timed)
            put_args(
                r,
                slice(r, events, p->rows[i].type, p->rows[i].partition < 0 ? TRACK_CPU : TRACK_DELEGATE, &rows, p->rows[i].us[run]),
                &p->rows[i]);
    slice(r, events, "profiled run", TRACK_PROFILED, at, rows - *at > p->wall_us[run] ? rows - *at : p->wall_us[run]);
}

void op_profile_trace(struct report *r, const char *model, const struct phases *start, const struct bench_times *t,
                      const struct op_profile *p)
{
    struct json *root = report_root(r), *events = json_array(r, root, "traceEvents");
    double at = 0;

    json_string(r, root, "displayTimeUnit", "ms");
    name_tracks(r, events, model);
    for (uint32_t i = 0; i < start->n; i++)
        if (start->parts[i].us > 0)
            slice(r, events, start->parts[i].name, TRACK_START, &at, start->parts[i].us);
    put_samples(r, events, "warm-up run", &t->warmup, &at);
    put_samples(r, events, "timed run", &t->timed, &at);
    for (uint32_t i = 0; i < p->runs; i++)
        put_profiled(r, events, p, i, &at);
}

/* Whether a row before i has the name. */
static bool named_before(const struct op_profile *p, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (p->rows[j].n_nodes && p->rows[j].tensor && !strcmp(p->rows[j].tensor->name, p->rows[i].tensor->name))
            return true;
    return false;
}

static double ms_of_name(const struct op_profile *p, const char *name)
{
    double us = 0;

    for (size_t i = 0; i < p->n_rows; i++)
        if (p->rows[i].n_nodes && p->rows[i].tensor && !strcmp(p->rows[i].tensor->name, name))
            us += p->rows[i].sum_us / p->runs;
    return us / 1e3;
}

static void put_stop(struct report *r, struct json *gradient, double stop, const char *color)
{
    struct json *o = json_object(r, gradient, NULL);

    json_number(r, o, "stop", stop);
    json_string(r, o, "bgColor", color);
}

void op_profile_nodes(struct report *r, const struct op_profile *p)
{
    struct json *results = json_object(r, report_root(r), "results"), *gradient;

    for (size_t i = 0; i < p->n_rows; i++)
        if (p->rows[i].n_nodes && p->rows[i].tensor && !named_before(p, i))
            json_number(r, json_object_named(r, results, p->rows[i].tensor->name), "value", ms_of_name(p, p->rows[i].tensor->name));
    gradient = json_array(r, report_root(r), "gradient");
    put_stop(r, gradient, 0, "#ffffff");
    put_stop(r, gradient, 1, "#e8710a");
}
