/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_trace.c - events of a trace, values of nodes. */
#include "cmd/export/op_profile_trace.h"

#include "cmd/print/node_data.h"

enum track { TRACK_START = 1, TRACK_RUNS, TRACK_PROFILED, TRACK_CPU, TRACK_DELEGATE };

/* All events are of one process, a thread per track. */
static struct json *event(struct report *r, struct json *events, const char *phase, const char *name, enum track track)
{
    struct json *e = json_object(r, events, NULL);

    JSON_STRINGS(r, e, {"ph", phase}, {"name", name});
    JSON_NUMBERS(r, e, {"pid", 1}, {"tid", track});
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

    JSON_NUMBERS(r, e, {"ts", *at}, {"dur", us});
    *at += us;
    return e;
}

static void put_args(struct report *r, struct json *e, const struct op_row *row)
{
    struct json *args = json_object(r, e, "args");

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
