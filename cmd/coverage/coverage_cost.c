/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_cost.c - a profile read into times of nodes, and the cost as text and as JSON. */
#include "cmd/coverage/coverage_cost.h"

#include <math.h>
#include <string.h>

#include "cmd/print/report_read.h"
#include "lib/base/sha256.h"

/* No model of today has a tenth of that. */
enum { MAX_ROWS = 20000 };

/* ---- --times ---- */

/* Adds a row's time to its nodes, each the same share: nobody knows how a fused one divides. */
static void add_row(struct reader *r, const struct json *row, double us, struct arena *a, struct cost_times *out)
{
    const char *backend = read_string(r, row, "backend");
    size_t n = 0;
    const double *nodes = read_times(r, row, "nodes", a, &n);
    double *to = backend && !strcmp(backend, "cpu") ? out->cpu_us : out->device_us;

    for (size_t i = 0; i < n; i++) {
        if (nodes[i] >= out->n_nodes || nodes[i] != floor(nodes[i])) {
            reader_refuse(r, row, "nodes", "has %g, and the model has %u nodes", nodes[i], out->n_nodes);
            return;
        }
        to[(uint32_t)nodes[i]] = (isnan(to[(uint32_t)nodes[i]]) ? 0 : to[(uint32_t)nodes[i]]) + us / (double)n;
    }
}

static void read_rows(struct reader *r, const struct json *profile, struct arena *a, struct cost_times *out)
{
    uint32_t rows = 0;

    for (const struct json *v = read_first(r, profile, "rows"); v; v = read_next(v)) {
        const struct json *row = read_as_object(r, v);
        const char *type = read_string(r, row, "type");
        const double us = read_number(r, row, "avg_us");

        if (++rows > MAX_ROWS) {
            reader_refuse(r, profile, "rows", "has more than %d members", (int)MAX_ROWS);
            return;
        }
        if (!type || !read_bool(r, row, "timed"))
            continue;
        if (!strcmp(type, "upload") || !strcmp(type, "download")) {
            out->cross_us = (isnan(out->cross_us) ? 0 : out->cross_us) + us;
            out->cross_bytes += read_number(r, row, "bytes");
            out->n_transfers++;
        } else {
            add_row(r, row, us, a, out);
        }
    }
}

static void check_report(struct reader *r, const struct json *root, const struct model *m)
{
    const struct json *model = read_object(r, root, "model");
    const char *tool = read_string(r, root, "tool"), *hash = read_string(r, model, "sha256");
    const double version = read_number(r, root, "schema_version");
    char own[SHA256_HEX_SIZE];

    if (tool && strcmp(tool, "benchmark_model") != 0)
        reader_refuse(r, root, "tool", "is \"%.40s\": the report of benchmark_model has times", tool);
    else if (version != REPORT_SCHEMA_VERSION)
        reader_refuse(r, root, "schema_version", "is %g, this build reads %d", version, REPORT_SCHEMA_VERSION);
    else if (hash && strcmp(hash, sha256_hex(m->file, m->file_bytes, own)) != 0)
        reader_refuse(r, model, "sha256", "is %.12s…, that of this model %.12s…: the times are of another model", hash, own);
}

static enum status read_times_of(const char *path, const struct model *m, uint32_t subgraph, struct arena *a,
                                 struct cost_times *out, struct err *err)
{
    const uint32_t n = m->subgraphs[subgraph].n_ops;
    double *cpu_us = ARENA_ARRAY(a, n, double), *device_us = ARENA_ARRAY(a, n, double);
    const struct json *root, *profile;
    struct reader *r;
    enum status st;

    *out = (struct cost_times){.cpu_us = cpu_us, .device_us = device_us, .n_nodes = n, .cross_us = NAN};
    if (!cpu_us || !device_us)
        return err_set(err, ST_NOMEM, "%s: out of memory for the times of %u nodes", path, n);
    for (uint32_t i = 0; i < n; i++)
        cpu_us[i] = device_us[i] = NAN;
    if ((st = reader_open(path, &r, err)))
        return st;
    root = reader_root(r);
    check_report(r, root, m);
    if (!(profile = read_object_or_null(r, root, "profile")))
        reader_refuse(r, root, "profile", "is missing: benchmark_model --enable_op_profiling=true writes it");
    read_rows(r, profile, a, out);
    st = reader_status(r, err);
    reader_close(r);
    return st;
}

enum status coverage_cost_find(const struct coverage *c, const struct model *m, struct delegate *device, const char *times,
                               struct coverage_cost *out, struct err *err)
{
    struct cost_times measured;
    enum status st = ST_OK;

    *out = (struct coverage_cost){.terms = cost_default_terms(), .terms_from = "assumed"};
    if (c->cannot_run)
        return ST_OK;
    if (*times && (st = read_times_of(times, m, c->graphs[0]->subgraph, &out->arena, &measured, err)))
        return st;
    if (*times) {
        cost_terms_from_times(&out->terms, &measured);
        out->terms_from = out->terms.measured ? "--times" : "assumed";
    }
    if (device && !(st = cost_measure(device, &out->terms, err)) && out->terms.measured)
        out->terms_from = "--device";
    if (!st)
        st = cost_of(c, &out->terms, *times ? &measured : NULL, &out->arena, &out->cost, err);
    out->known = !st;
    return st;
}

void coverage_cost_free(struct coverage_cost *c)
{
    arena_free(&c->arena);
    *c = (struct coverage_cost){0};
}

/* ---- as text ---- */

static double percent(const struct cost_share *s)
{
    return s->all > 0 ? 100 * s->covered / s->all : 0;
}

static void add_shares(struct result_section *to, const struct cost *k, const char *label)
{
    result_line(to, RESULT_PLAIN, "  On the %s: %.0f of %.0f nodes (%.1f%%)", label, k->nodes.covered, k->nodes.all,
                percent(&k->nodes));
    if (k->macs.all > 0)
        result_more(to, ", %.1f%% of the multiply-accumulates", percent(&k->macs));
    if (k->bytes.all > 0)
        result_more(to, ", %.1f%% of the bytes that nodes read and write", percent(&k->bytes));
    if (k->us.all > 0)
        result_more(to, ", %.1f%% of the measured %.1f us", percent(&k->us), k->us.all);
    if (k->us.all > 0 && k->us.unknown)
        result_line(to, RESULT_PLAIN, "  Not timed: %u of the nodes", k->us.unknown);
}

static void add_verdict(struct result_section *to, const struct coverage_cost *c)
{
    const struct cost *k = &c->cost;

    if (k->verdict == COST_NOTHING_DELEGATED)
        return;
    result_line(to, RESULT_PLAIN, "  Crossing: %.1f us a run, at %.1f us a partition and %.2f GB/s (%s)", k->cross_us,
                c->terms.sync_us, c->terms.cross_gbytes, c->terms_from);
    if (k->device_us > 0)
        result_line(to, RESULT_PLAIN, "  On the device these nodes took %.1f us (measured)", k->device_us);
    result_line(to, RESULT_PLAIN, "  On the CPU these nodes take %.4g us (%s): %s", k->cpu_us,
                k->cpu_measured ? "measured" : "estimated",
                k->verdict == COST_LOSES && k->device_us > 0 ? "the crossing and the device cost more than there is to gain"
                : k->verdict == COST_LOSES                   ? "the crossing alone costs more than there is to gain"
                : k->device_us > 0                           ? "there is something to gain"
                                                             : "the most there is to gain, less the device's own time");
}

static void add_nodes_of(struct result_section *to, const struct advice *a)
{
    enum { SHOWN = 8 };

    for (uint32_t i = 0; i < a->n_nodes && i < SHOWN; i++)
        result_more(to, "%s%u", i ? ", " : a->n_nodes > 1 ? " nodes " : " node ", a->nodes[i]);
    if (a->n_nodes > SHOWN)
        result_more(to, " and %u more", a->n_nodes - SHOWN);
}

static void add_lines(struct result_section *to, const struct coverage_cost *c, const char *label)
{
    const struct cost *k = &c->cost;

    result_gap(to);
    result_line(to, RESULT_PLAIN, "Cost:");
    add_shares(to, k, label);
    result_line(to, RESULT_PLAIN,
                "  Boundaries with other nodes: %u; across them %u tensors, %llu bytes; in all %u tensors in, %u out",
                k->boundaries, k->inner_tensors, (unsigned long long)k->inner_bytes, k->tensors_in, k->tensors_out);
    add_verdict(to, c);
    for (uint32_t i = 0; i < k->n_advice; i++) {
        result_line(to, RESULT_PLAIN, "  %s", advice_name(k->advice[i].code));
        add_nodes_of(to, &k->advice[i]);
        result_more(to, ": %s", k->advice[i].text);
    }
}

/* ---- as JSON ---- */

static void put_share(struct report *r, struct json *in, const char *key, const struct cost_share *s)
{
    struct json *o = json_object(r, in, key);

    JSON_NUMBERS(r, o, {"all", s->all}, {"covered", s->covered}, {"unknown_nodes", s->unknown});
}

static void put_advice(struct report *r, struct json *in, const struct cost *k)
{
    struct json *list = json_array(r, in, "advice");

    for (uint32_t i = 0; i < k->n_advice; i++) {
        struct json *o = json_object(r, list, NULL), *nodes;

        json_string(r, o, "code", advice_name(k->advice[i].code));
        nodes = json_array(r, o, "nodes");
        for (uint32_t j = 0; j < k->advice[i].n_nodes; j++)
            json_number(r, nodes, NULL, k->advice[i].nodes[j]);
        json_string(r, o, "text", k->advice[i].text);
    }
}

static void put_terms(struct report *r, struct json *in, const struct coverage_cost *c)
{
    struct json *o = json_object(r, in, "terms");

    JSON_NUMBERS(r, o, {"sync_us", c->terms.sync_us}, {"cross_gbytes_per_s", c->terms.cross_gbytes},
                 {"cpu_gflops", c->terms.cpu_gflops}, {"cpu_gbytes_per_s", c->terms.cpu_gbytes});
    json_string(r, o, "crossing_from", c->terms_from);
}

static void put_parts(struct report *r, struct json *in, const struct cost *k)
{
    struct json *list = json_array(r, in, "partitions");

    for (uint32_t i = 0; i < k->n_parts; i++) {
        struct json *o = json_object(r, list, NULL);

        JSON_NUMBERS(r, o, {"cpu_us", k->parts[i].cpu_us}, {"crossing_us", k->parts[i].cross_us});
    }
}

void coverage_cost_results(struct result_section *to, struct report *r, const struct coverage_cost *c, const char *label)
{
    static const char *const verdicts[] = {
        [COST_NOTHING_DELEGATED] = "nothing_delegated", [COST_PAYS] = "can_gain", [COST_LOSES] = "costs_more"};
    const struct cost *k = &c->cost;
    struct json *o;

    if (!json_given(r, report_root(r), "cost", c->known))
        return;
    add_lines(to, c, label);
    o = json_object(r, report_root(r), "cost");
    put_share(r, o, "nodes", &k->nodes);
    put_share(r, o, "macs", &k->macs);
    put_share(r, o, "bytes", &k->bytes);
    if (k->us.all > 0)
        put_share(r, o, "measured_us", &k->us);
    else
        json_null(r, o, "measured_us");
    JSON_NUMBERS(r, o, {"tensors_in", k->tensors_in}, {"tensors_out", k->tensors_out}, {"boundaries", k->boundaries},
                 {"boundary_tensors", k->inner_tensors}, {"boundary_bytes", (double)k->inner_bytes});
    put_terms(r, o, c);
    put_parts(r, o, k);
    json_number(r, o, "cpu_us", k->cpu_us);
    json_bool(r, o, "cpu_measured", k->cpu_measured);
    JSON_NUMBERS(r, o, {"device_us", k->device_us > 0 ? k->device_us : NAN}, {"crossing_us", k->cross_us});
    json_string(r, o, "verdict", verdicts[k->verdict]);
    put_advice(r, o, k);
}
