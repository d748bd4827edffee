/* SPDX-License-Identifier: Apache-2.0 */
/* compare_json.c - the comparison as JSON: "benchmark_compare" in schema/json/report.schema.json. */
#include "cmd/compare/compare.h"
#include "cmd/tool/report_parts.h"

#include <math.h>

static void put_report(struct report *r, struct json *in, const char *key, const struct compare_report *from)
{
    struct json *o = json_object(r, in, key), *doubts;

    JSON_STRINGS(r, o, {"path", from->path}, {"tool_version", from->tool_version}, {"time", from->time},
                 {"model_path", from->model}, {"model_sha256", from->sha256}, {"cpu", from->cpu},
                 {"device", *from->device ? from->device : NULL});
    json_bool(r, o, "interrupted", from->interrupted);
    doubts = json_array(r, o, "doubts");
    for (size_t i = 0; i < from->n_doubts; i++)
        json_string(r, doubts, NULL, from->doubts[i]);
}

/* The first report of a side as "old" or "new", all of them as "old_reports" or "new_reports". */
static void put_side(struct report *r, struct json *in, const char *key, const struct compare_pair *p, int side)
{
    char all[16];
    struct json *list;

    put_report(r, in, key, p->sides[side][0]);
    snprintf(all, sizeof all, "%s_reports", key);
    list = json_array(r, in, all);
    for (size_t i = 0; i < p->n_sides[side]; i++)
        put_report(r, list, NULL, p->sides[side][i]);
}

static void put_differences(struct report *r, struct json *in, const struct compare_pair *p)
{
    struct json *list = json_array(r, in, "differences");

    for (size_t i = 0; i < p->n_differences; i++) {
        struct json *o = json_object(r, list, NULL);

        JSON_STRINGS(r, o, {"what", p->differences[i].what}, {"old", p->differences[i].old_value},
                     {"new", p->differences[i].new_value});
        json_bool(r, o, "other_measurement", p->differences[i].bars);
    }
}

static void put_comparison(struct report *r, struct json *in, const char *key, const struct comparison *c)
{
    struct json *o = json_object(r, in, key);

    JSON_NUMBERS(r, o, {"old_count", (double)c->n_old}, {"new_count", (double)c->n_new},
                 {"old_processes", (double)c->old_processes}, {"new_processes", (double)c->new_processes});
    json_bool(r, o, "paired", c->paired);
    JSON_NUMBERS(r, o, {"old_median", c->old_median}, {"new_median", c->new_median}, {"ratio", c->change.ratio},
                 {"ratio_low", c->change.interval.low}, {"ratio_high", c->change.interval.high}, {"between_processes", c->between},
                 {"within_process", c->within}, {"p", c->p}, {"p_adjusted", c->p_adjusted});
    json_string(r, o, "verdict", verdict_name(c->verdict));
}

static void put_pair(struct report *r, struct json *in, const struct compare_pair *p, double fail_above)
{
    static const char *const gates[] = {"undecided", "within", "beyond"};
    const size_t more = comparison_more_processes(&p->whole, fail_above);
    struct json *o = json_object(r, in, NULL), *ops;

    put_side(r, o, "old", p, 0);
    put_side(r, o, "new", p, 1);
    put_differences(r, o, p);
    put_comparison(r, o, "run_us", &p->whole);
    json_bool(r, o, "regression", p->gate == GATE_BEYOND);
    json_string(r, o, "gate", gates[p->gate]);
    json_number(r, o, "more_processes", p->gate == GATE_UNDECIDED && more ? (double)more : NAN);
    ops = json_array(r, o, "ops");
    for (size_t i = 0; i < p->n_ops; i++) {
        struct json *op = json_object(r, ops, NULL);

        JSON_STRINGS(r, op, {"type", p->ops[i].op->type}, {"name", p->ops[i].op->name});
        put_comparison(r, op, "us", &p->ops[i].times);
    }
    JSON_NUMBERS(r, o, {"ops_only_old", (double)p->n_only_before}, {"ops_only_new", (double)p->n_only_after});
}

static void put_paths(struct report *r, const char *key, const struct compare_report *const *list, size_t n)
{
    struct json *paths = json_array(r, report_root(r), key);

    for (size_t i = 0; i < n; i++)
        json_string(r, paths, NULL, list[i]->path);
}

static void put_skipped(struct report *r, const char *key, const struct compare_skipped *list, size_t n)
{
    struct json *all = json_array(r, report_root(r), key);

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_object(r, all, NULL);

        JSON_STRINGS(r, o, {"path", list[i].path}, {"reason", list[i].why});
    }
}

enum status compare_write_json(const struct compare *c, struct err *err)
{
    struct report *r = report_new();
    struct json *pairs;
    enum status st;

    report_tool(r, &c->tool, c->tool.cli.tool);
    report_parameters(r, report_root(r), &c->tool.cli);
    json_number(r, report_root(r), "fail_above_ratio", 1 + c->threshold);
    json_bool(r, report_root(r), "passed", !c->n_regressions);
    pairs = json_array(r, report_root(r), "pairs");
    for (size_t i = 0; i < c->n_pairs; i++)
        put_pair(r, pairs, &c->pairs[i], 1 + c->threshold);
    put_paths(r, "unmatched_old", c->unmatched[0], c->n_unmatched[0]);
    put_paths(r, "unmatched_new", c->unmatched[1], c->n_unmatched[1]);
    put_skipped(r, "skipped_old", c->skipped[0], c->n_skipped[0]);
    put_skipped(r, "skipped_new", c->skipped[1], c->n_skipped[1]);
    st = report_write(r, c->tool.json, err);
    report_free(r);
    return st;
}
