/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_json.c - the results as JSON: schema/json/benchmark_model.schema.json. */
#include "benchmark.h"

static void put_phase(struct report *r, struct json *in, const char *key, const struct phase *p, struct err *err)
{
    struct stats exact; /* of the samples as they are, not cut to whole microseconds */

    if (!stats_of(p->samples.us, p->samples.n, &exact, err))
        report_stats(r, in, key, &exact, p->samples.us);
}

static void put_times(struct report *r, const struct benchmark *b, struct err *err)
{
    struct json *times = json_object(r, report_root(r), "times_us");

    json_number(r, times, "load", b->load_us);
    json_number(r, times, "open_delegate", b->open_us);
    json_number(r, times, "prepare", b->prepare_us);
    json_number(r, times, "init", benchmark_init_us(b));
    json_number(r, times, "first_inference", benchmark_first_us(b));
    put_phase(r, times, "warmup", &b->warmup, err);
    put_phase(r, times, "inference", &b->timed, err);
}

static void put_use(struct report *r, struct json *in, const char *key, const struct memory_use *use)
{
    struct json *o = json_object(r, in, key);

    json_number(r, o, "resident", (double)use->rss_bytes);
    json_number(r, o, "peak", (double)use->peak_bytes);
}

static void put_memory(struct report *r, const struct benchmark *b)
{
    struct json *mem = json_object(r, report_root(r), "memory_bytes"), *part;
    struct session_memory m;

    session_memory(b->session, &m);
    put_use(r, mem, "at_start", &b->at_start);
    put_use(r, mem, "after_init", &b->at_init);
    put_use(r, mem, "at_end", &b->at_end);
    part = json_object(r, mem, "cpu");
    json_number(r, part, "tensors", (double)m.arena_bytes);
    json_number(r, part, "lower_bound", (double)m.lower_bound_bytes);
    json_number(r, part, "packed_weights", (double)m.packed_bytes);
    json_number(r, part, "scratch", (double)m.scratch_bytes);
    if (!b->tool.delegates.opened)
        return;
    part = json_object(r, mem, "delegate");
    json_number(r, part, "tensors", (double)m.delegate.intermediates);
    json_number(r, part, "lower_bound", (double)m.delegate.lower_bound);
    json_number(r, part, "unshared", (double)m.delegate.unshared);
    json_number(r, part, "constants", (double)m.delegate.constants);
    json_number(r, part, "staging", (double)m.delegate.staging);
    part = json_object(r, report_root(r), "delegate_work");
    json_number(r, part, "programs", m.delegate.programs);
    json_number(r, part, "dispatches", m.delegate.dispatches);
    json_number(r, part, "barriers", m.delegate.barriers);
}

static void put_profile(struct report *r, const struct op_profile *p)
{
    struct json *o = json_object(r, report_root(r), "profile"), *rows;

    json_number(r, o, "runs", p->runs);
    report_stats(r, o, "total_us", &p->total, NULL);
    rows = json_array(r, o, "rows");
    for (size_t i = 0; i < p->n_rows; i++) {
        const struct op_row *row = &p->rows[i];
        struct json *one = json_object(r, rows, NULL), *nodes;

        json_string(r, one, "type", row->type);
        json_string(r, one, "name", row->name);
        json_string(r, one, "backend", row->backend);
        json_number(r, one, "partition", row->partition);
        nodes = json_array(r, one, "nodes");
        for (uint32_t k = 0; k < row->n_nodes; k++)
            json_number(r, nodes, NULL, row->nodes[k]);
        json_bool(r, one, "timed", row->timed);
        json_number(r, one, "first_us", row->first_us);
        json_number(r, one, "avg_us", row->sum_us / p->runs);
    }
}

enum status benchmark_write_json(const struct benchmark *b, struct err *err)
{
    struct report *r = report_new();
    enum status st;

    report_head(r, &b->tool, b->flags.graph);
    json_bool(r, report_root(r), "interrupted", interrupted());
    put_times(r, b, err);
    put_memory(r, b);
    report_placement(r, report_root(r), b->session);
    if (b->profile.runs)
        put_profile(r, &b->profile);
    st = report_write(r, b->tool.json, err);
    report_free(r);
    return st;
}
