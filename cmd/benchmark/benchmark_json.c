/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_json.c - the results as JSON: "benchmark_model" in schema/json/report.schema.json. */
#include "cmd/benchmark/benchmark.h"

#include <math.h>

#include "cmd/benchmark/measure_json.h"
#include "cmd/export/profile_json.h"
#include "cmd/host/interrupt.h"
#include "cmd/tool/device_io_report.h"
#include "cmd/tool/report_parts.h"
#include "lib/delegate/assignment.h"

static void put_times(struct report *r, const struct benchmark *b)
{
    struct json *times = json_object(r, report_root(r), "times_us");

    JSON_NUMBERS(r, times, {"load", b->times.load_us}, {"open_delegate", b->times.open_us}, {"prepare", b->times.prepare_us},
                 {"init", b->figures.init_us}, {"first_inference", b->figures.first_us});
    report_stats(r, times, "warmup", &b->figures.warmup, b->times.warmup.us);
    report_stats(r, times, "inference", &b->figures.timed, b->times.timed.us);
}

static void put_use(struct report *r, struct json *in, const char *key, const struct memory_use *use)
{
    struct json *o = json_object(r, in, key);

    JSON_NUMBERS(r, o, {"resident", (double)use->rss_bytes}, {"anonymous", (double)use->anon_bytes},
                 {"files", (double)use->file_bytes}, {"shared", (double)use->shmem_bytes},
                 {"proportional", use->pss_bytes ? (double)use->pss_bytes : NAN}, {"peak", (double)use->peak_bytes});
}

static void put_memory(struct report *r, const struct benchmark *b)
{
    struct json *mem = json_object(r, report_root(r), "memory_bytes"), *cpu;

    put_use(r, mem, "at_start", &b->at_start);
    put_use(r, mem, "after_init", &b->at_init);
    put_use(r, mem, "at_end", &b->at_end);
    json_number(r, mem, "sampled_peak", b->flags.peak_memory ? (double)b->sampled_peak_bytes : NAN);
    cpu = json_object(r, mem, "cpu");
    JSON_NUMBERS(r, cpu, {"tensors", (double)b->memory.arena_bytes}, {"lower_bound", (double)b->memory.lower_bound_bytes},
                 {"packed_weights", (double)b->memory.packed_bytes}, {"scratch", (double)b->memory.scratch_bytes});
    if (b->tool.delegates.opened)
        report_delegate_memory(r, mem, "delegate", &b->memory.delegate);
    else
        json_null(r, mem, "delegate");
}

static void put_delegate_work(struct report *r, const struct benchmark *b)
{
    const struct delegate_memory *m = &b->memory.delegate;
    struct json *o;

    if (!b->tool.delegates.opened) {
        json_null(r, report_root(r), "delegate_work");
        return;
    }
    o = json_object(r, report_root(r), "delegate_work");
    JSON_NUMBERS(r, o, {"programs", m->programs}, {"dispatches", m->dispatches}, {"barriers", m->barriers},
                 {"written_bytes_per_run", b->written_bytes}, {"read_bytes_per_run", b->read_bytes}, {"waits_per_run", b->waits});
    report_dynamic(r, o, &b->dynamic);
    report_called(r, o, &b->called);
}

static void put_delegate_start(struct report *r, const struct benchmark *b)
{
    const struct delegate_memory *m = &b->memory.delegate;
    const struct delegates *ds = &b->tool.delegates;
    struct json *o, *tuning, *environment;

    if (!ds->opened) {
        json_null(r, report_root(r), "delegate_start");
        return;
    }
    o = json_object(r, report_root(r), "delegate_start");
    JSON_NUMBERS(r, o, {"programs_compiled", m->programs_compiled}, {"programs_loaded", m->programs_loaded},
                 {"nodes_lowered", m->nodes_lowered}, {"packed_bytes", (double)m->packed_bytes});
    tuning = json_object(r, o, "tuning");
    JSON_NUMBERS(r, tuning, {"trials", m->trials}, {"nodes", m->nodes_tuned}, {"us", (double)m->tuning_ns / 1e3},
                 {"beyond_us", (double)m->tuning_beyond_ns / 1e3}, {"bound_us", (double)m->tuning_bound_ns / 1e3},
                 {"cut", m->tunings_cut}, {"stored", m->tunings_stored});
    environment = json_object(r, o, "environment");
    for (uint32_t i = 0; i < ds->n_variables; i++)
        json_string(r, environment, ds->variables[i].name, ds->variables[i].value);
}

static void put_phases(struct report *r, const struct benchmark *b)
{
    struct json *o = json_object(r, report_root(r), "phases_us");
    struct phases start, run = {.n = 0};
    struct session_times times;

    session_times(b->session, &times);
    phases_of_start(&b->times, &times, &start);
    if (b->profile.runs)
        phases_of_run(&b->profile, &run);
    profile_put_phases(r, o, "start", &start);
    profile_put_phases(r, o, "profiled_run", &run);
    profile_put_programs(r, report_root(r), b->session);
}

enum status benchmark_write_json(const struct benchmark *b, struct err *err)
{
    struct report *r = report_new();
    enum status st;

    report_head(r, &b->tool, b->flags.graph);
    json_bool(r, report_root(r), "interrupted", interrupted());
    put_times(r, b);
    measure_put(r, b);
    put_memory(r, b);
    put_delegate_work(r, b);
    put_delegate_start(r, b);
    report_delegates(r, report_root(r), b->session, b->tool.delegates.all);
    report_assignment(r, report_root(r), session_graph(b->session), session_partitioning(b->session));
    put_phases(r, b);
    device_io_put(r, report_root(r), &b->io);
    if (!(st = profile_put(r, report_root(r), &b->profile, err)) && !(st = inputs_ranges(&b->inputs, b->session, r, NULL, err)))
        st = report_write(r, b->tool.json, err);
    report_free(r);
    return st;
}
