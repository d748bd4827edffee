/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_json.c - coverage as JSON: "op_coverage" in schema/json/report.schema.json. */
#include <math.h>

#include "cmd/coverage/coverage_words.h"
#include "cmd/coverage/op_coverage.h"
#include "cmd/tool/report_parts.h"

static void put_delegate(struct report *r, const struct coverage_run *run)
{
    struct json *o = json_object(r, report_root(r), "asked"), *list;

    JSON_STRINGS(r, o,
                 {"delegate", run->n_columns ? run->columns[0].name
                              : run->type    ? run->type->name
                                             : "none"},
                 {"device", run->delegate && !run->is_static ? run->delegate->device : NULL});
    list = json_array(r, o, "delegates");
    for (uint32_t i = 0; run->asked[i]; i++)
        json_string(r, list, NULL, run->asked[i]->type->label);
}

/* What would run; null where nobody tells. */
static void put_outline(struct report *r, struct json *in, const struct coverage *c)
{
    struct json *list;

    JSON_NUMBERS(r, in, {"dispatches", c->outlined ? c->dispatches : NAN}, {"transfers", c->outlined ? c->transfers : NAN});
    if (!c->outlined) {
        json_null(r, in, "copies");
        return;
    }
    list = json_array(r, in, "copies");
    for (uint32_t i = 0; i < c->n_copies; i++) {
        struct json *o = json_object(r, list, NULL);

        json_number(r, o, "node", c->copies[i].node ? c->copies[i].node->index : NAN);
        JSON_STRINGS(r, o, {"op", c->copies[i].node ? c->copies[i].node->name : NULL}, {"variant", c->copies[i].label},
                     {"reason", c->copies[i].why});
    }
}

static void put_called(struct report *r, struct json *in, const struct coverage_called *c)
{
    struct json *o = json_object(r, in, "called");

    JSON_NUMBERS(r, o, {"subgraphs", c->subgraphs}, {"nodes", c->nodes}, {"delegated", c->delegated}, {"partitions", c->partitions},
                 {"unknown", c->unknown});
}

static void put_totals(struct report *r, const struct coverage_run *run)
{
    const struct coverage *c = &run->coverage;
    struct json *o = json_object(r, report_root(r), "coverage");
    char hybrid[256];

    json_string(r, o, "cannot_run", c->cannot_run);
    JSON_NUMBERS(r, o, {"node_count", c->n_verdicts}, {"covered", c->covered}, {"folded", c->folded},
                 {"hybrid_nodes", coverage_hybrid_nodes(run, hybrid, sizeof hybrid)});
    json_names(r, o, "hybrid_operators", hybrid);
    JSON_NUMBERS(r, o, {"macs", (double)c->macs}, {"macs_covered", (double)c->macs_covered}, {"macs_unknown", c->macs_unknown},
                 {"bytes_in", run->type ? (double)c->bytes_in : NAN}, {"bytes_out", run->type ? (double)c->bytes_out : NAN});
    put_outline(r, o, c);
    put_called(r, o, &c->called);
    report_partitioning(r, o, c->graphs[0], run->type ? &c->parts : NULL);
}

static void put_ops(struct report *r, const struct coverage *c)
{
    struct json *list = json_array(r, report_root(r), "operators");

    for (uint32_t i = 0; i < c->n_ops; i++) {
        const struct coverage_op *op = &c->ops[i];
        struct json *o = json_object(r, list, NULL);

        json_string(r, o, "name", op->name);
        JSON_NUMBERS(r, o, {"builtin_code", op->builtin}, {"min_version", op->min_version}, {"max_version", op->max_version},
                     {"node_count", op->nodes}, {"covered", op->covered}, {"folded", op->folded}, {"macs", (double)op->macs},
                     {"macs_unknown", op->macs_unknown});
    }
}

static void put_tensors(struct report *r, struct json *in, const char *key, struct tensor *const *t, uint32_t n)
{
    struct json *list = json_array(r, in, key);

    for (uint32_t i = 0; i < n; i++)
        if (t[i])
            report_tensor(r, list, NULL, t[i]);
}

static void put_verdicts(struct report *r, const struct coverage *c)
{
    struct json *list = json_array(r, report_root(r), "verdicts");

    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        struct json *o = json_object(r, list, NULL);

        JSON_NUMBERS(r, o, {"subgraph", v->subgraph}, {"node", v->node->index});
        json_string(r, o, "op", v->node->name);
        json_number(r, o, "version", v->node->version);
        put_tensors(r, o, "inputs", v->node->in, v->node->n_in);
        put_tensors(r, o, "outputs", v->node->out, v->node->n_out);
        json_bool(r, o, "covered", v->covered);
        json_string(r, o, "verdict", rules_answer_name(v->answer));
        json_bool(r, o, "folded", v->node->folded);
        json_number(r, o, "partition", v->partition);
        JSON_STRINGS(r, o, {"reason_code", v->why.code == REASON_NONE ? NULL : reason_name(v->why.code)},
                     {"reason", v->why.code == REASON_NONE ? NULL : v->why.text});
        json_number(r, o, "macs", v->macs_known ? (double)v->macs : NAN);
    }
}

static void put_gains(struct report *r, const struct coverage_run *run, enum coverage_if what, const char *key)
{
    const struct coverage *c = &run->coverage;
    struct json *list;

    if (!run->type) {
        json_null(r, report_root(r), key);
        return;
    }
    list = json_array(r, report_root(r), key);
    for (uint32_t i = 0; i < c->n_gains; i++) {
        const struct coverage_gain *g = &c->gains[i];
        struct json *o;

        if (g->what != what)
            continue;
        o = json_object(r, list, NULL);
        if (what == COVERAGE_IF_NODE)
            json_number(r, o, "node", g->node->index);
        json_string(r, o, what == COVERAGE_IF_REASON ? "reason_code" : "name",
                    what == COVERAGE_IF_REASON ? reason_name(g->reason) : g->op);
        json_string(r, o, "delegate", coverage_gain_whose(run, g));
        JSON_NUMBERS(r, o, {"delegated", g->nodes}, {"partition_count", g->partitions});
    }
}

void coverage_put_requirements(struct report *r, struct json *in, const struct requirements *q)
{
    struct json *list = json_array(r, in, "required");

    for (uint32_t i = 0; i < q->n; i++) {
        struct json *o = json_object(r, list, NULL);

        json_string(r, o, "requirement", q->list[i].text);
        json_bool(r, o, "met", q->list[i].met);
        json_string(r, o, "found", q->list[i].found);
    }
}

enum status coverage_write_json(const struct coverage_run *run, struct err *err)
{
    struct report *r = report_new();
    enum status st;

    report_head(r, &run->tool, run->path);
    put_delegate(r, run);
    put_totals(r, run);
    put_ops(r, &run->coverage);
    coverage_cost_put(r, report_root(r), &run->cost);
    coverage_fix_put(r, report_root(r), &run->fix);
    put_verdicts(r, &run->coverage);
    put_gains(r, run, COVERAGE_IF_OPERATOR, "with_one_more_operator");
    put_gains(r, run, COVERAGE_IF_REASON, "without_one_reason");
    put_gains(r, run, COVERAGE_IF_NODE, "with_one_more_node");
    json_number(r, report_root(r), "nodes_not_tried", run->coverage.n_untried);
    coverage_put_requirements(r, report_root(r), &run->requirements);
    coverage_put_rules(r, run);
    coverage_extract_put(r, &run->extracted);
    st = report_write(r, run->tool.json, err);
    report_free(r);
    return st;
}
