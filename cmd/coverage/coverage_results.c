/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_results.c - the whole of an answer, and the order of its parts in text and on the page; the messages of TFLite's GPU
 * delegate for it. */
#include "cmd/coverage/coverage_results.h"

#include <inttypes.h>
#include <math.h>

#include "cmd/coverage/coverage_metadata.h"
#include "cmd/coverage/coverage_outputs.h"
#include "cmd/coverage/coverage_picture.h"
#include "cmd/coverage/coverage_words.h"
#include "cmd/host/say.h"
#include "cmd/tool/assignment_text.h"
#include "cmd/tool/page_parts.h"
#include "cmd/tool/report_parts.h"
#include "cmd/tool/say_tflite_errors.h"
#include "lib/coverage/coverage_refusals.h"
#include "lib/graph/float_weights.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void add_head(struct results *results, const struct coverage_run *r)
{
    struct result_section *to = results->parts[COVERAGE_MODEL], *asked = results->parts[COVERAGE_ASKED];
    const struct model *m = r->tool.model;
    char words[COVERAGE_WORDS_SIZE];

    result_line(to, RESULT_TITLE, "Model: %.1023s (bytes=%zu subgraphs=%u nodes=%u)", r->path, m->file_bytes, m->n_subgraphs,
                r->coverage.n_verdicts);
    to = results->parts[COVERAGE_SIGNATURE];
    coverage_metadata_results(to, results->report, m, r->tool.subgraph);
    if (*r->signature)
        result_line(to, RESULT_PLAIN, "Signature: %.1023s (subgraph %u), one of %u", r->signature, r->tool.subgraph,
                    m->n_signatures);
    if (r->coverage.cannot_run)
        result_line(to, RESULT_TITLE | RESULT_CAUTION,
                    "This model runs nowhere, so operators are known by their names alone: %.1023s", r->coverage.cannot_run);
    for (uint32_t i = 0; i < r->n_columns; i++)
        result_line(asked, RESULT_TITLE, "Rule set: %s, %.1023s", r->columns[i].name, r->columns[i].title);
    if (!r->n_columns)
        result_line(asked, RESULT_TITLE, "Delegate: %s", coverage_asked(r, words));
    result_line(results->parts[COVERAGE_PAGE_ASKED], RESULT_NOTE, "Delegate: %s", coverage_asked(r, words));
    if (*coverage_called_words(r, words))
        result_line(results->parts[COVERAGE_CALLED], RESULT_PLAIN, "Called subgraphs: %s", words);
}

/* Unknown where none of the operator's nodes is counted: that is not 0. */
static bool macs_known(const struct coverage_op *op)
{
    return !op->macs_unknown || op->macs_unknown != op->nodes - op->folded;
}

static void add_op(struct result_table *t, const struct coverage_op *op)
{
    const struct verdict *refused = op->first_refused;

    result_text(t, "%s", op->name);
    RESULT_NUMBERS(t, op->builtin, op->min_version, op->max_version, op->nodes, op->covered, op->folded, (double)op->macs,
                   op->macs_unknown);
    if (macs_known(op)) {
        RESULT_NUMBERS(t, op->macs_percent, (double)op->macs / 1e6);
    } else {
        result_text(t, "unknown");
        result_text(t, "unknown");
    }
    result_text(t, op->max_version > op->min_version ? "%d-%d" : "%d", op->min_version, op->max_version);
    if (refused && coverage_kind(refused) == VERDICT_LEFT_OUT)
        result_text(t, "%s", reason_name(refused->why.code));
    else if (refused)
        result_text(t, "%s%s: %.255s", coverage_failure(refused), reason_name(refused->why.code), refused->why.text);
    else
        result_skip(t, 0);
}

/* The reason is that of the operator's first node that has one; the JSON and --verbose have each node's. */
static void add_ops(struct results *r, const struct coverage_run *run)
{
    const struct result_column columns[] = {
        {.key = "name", .title = "Operator", .heading = "operator"},
        {.key = "builtin_code"},
        {.key = "min_version"},
        {.key = "max_version"},
        {.key = "node_count", .title = "nodes", .pad = " %6s", PAGE_NUMBER("nodes")},
        {.key = "covered", .title = run->type ? "covered" : "kernel", .pad = " %8s", PAGE_NUMBER("covered")},
        {.key = "folded", .title = "folded", .pad = " %6s", PAGE_NUMBER("folded")},
        {.key = "macs"},
        {.key = "macs_unknown"},
        {.title = "MACs %", .pad = " %7s", .number = "%.1f%%"},
        {PAGE_NUMBER("MMAC"), .shown = "%.3f"},
        {.title = "version", .pad = " %7s", PAGE_NUMBER("version")},
        {.title = "first reason", .pad = "  %s"},
    };
    struct result_section *to = r->parts[COVERAGE_OPERATORS];
    struct result_table *t;

    result_gap(to);
    t = results_table(to, columns, sizeof columns / sizeof *columns, json_array(r->report, report_root(r->report), "operators"));
    for (uint32_t i = 0; i < run->coverage.n_ops; i++)
        add_op(t, &run->coverage.ops[i]);
    result_line(to, RESULT_NOTE, "MMAC: millions of multiply-accumulates of one inference.");
}

static void add_tensors(struct result_section *to, struct tensor *const *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (t[i])
            result_more(to, "%s%.95s %s", i ? ", " : "", t[i]->name, TENSOR_TEXT(t[i]));
        else
            result_more(to, "%s-", i ? ", " : "");
}

static void add_nodes(struct result_section *to, const struct coverage_run *r)
{
    char words[COVERAGE_WORDS_SIZE];

    result_gap(to);
    result_line(to, RESULT_PLAIN, "Nodes:");
    for (uint32_t i = 0; i < r->coverage.n_verdicts; i++) {
        const struct verdict *v = &r->coverage.verdicts[i];

        result_line(to, RESULT_PLAIN, "%5u %.63s v%d: (", v->node->index, v->node->name, v->node->version);
        add_tensors(to, v->node->in, v->node->n_in);
        result_more(to, ") -> (");
        add_tensors(to, v->node->out, v->node->n_out);
        result_more(to, "): %s", coverage_words(r, v, words));
    }
}

static void add_gains(struct result_section *to, const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    char words[COVERAGE_WORDS_SIZE], counts[COVERAGE_WORDS_SIZE];

    for (uint32_t i = 0; i < c->n_gains; i++)
        result_line(to, RESULT_TITLE | RESULT_ITEM, "%s: %s", coverage_gain_words(r, &c->gains[i], words),
                    coverage_gain_counts(&c->gains[i], counts));
    if (c->n_untried)
        result_line(to, RESULT_TITLE | RESULT_ITEM, "%s", coverage_untried_words(c, words));
}

static void add_partitions(struct result_section *to, const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    const struct partitioning *p = &c->parts;
    const bool several = r->asked[0] && r->asked[1];

    result_gap(to);
    result_line(to, RESULT_PLAIN, "Partitions on the %s: %u (%u before limits)", coverage_backend(r), p->n_parts,
                p->n_before_limits);
    for (uint32_t i = 0; i < p->n_parts; i++)
        result_line(to, RESULT_PLAIN, "  %u: nodes=%u first=%u last=%u inputs=%u outputs=%u%s%s", i, p->parts[i].n_nodes,
                    p->parts[i].nodes[0]->index, p->parts[i].nodes[p->parts[i].n_nodes - 1]->index, p->parts[i].n_inputs,
                    p->parts[i].n_outputs, several ? " delegate=" : "", several ? coverage_whose(r, i) : "");
    result_line(to, RESULT_PLAIN, "Bytes that cross per run: %llu in, %llu out", (unsigned long long)c->bytes_in,
                (unsigned long long)c->bytes_out);
    if (c->outlined)
        result_line(to, RESULT_PLAIN, "Dispatches per run: %u and %u transfers; %u only copy", c->dispatches, c->transfers,
                    c->n_copies);
    for (uint32_t i = 0; i < c->n_copies && r->tool.verbose; i++)
        result_line(to, RESULT_PLAIN, "  %s of node %d %.63s: %s", c->copies[i].label,
                    c->copies[i].node ? (int)c->copies[i].node->index : -1, c->copies[i].node ? c->copies[i].node->name : "",
                    c->copies[i].why);
}

static void add_totals(struct result_section *to, const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    char nodes[SAY_COUNT_SIZE];

    result_gap(to);
    result_line(to, RESULT_PLAIN, "Covered: %u of %s (%.1f%%), %u folded into constants", c->covered,
                say_count(c->to_run, "node", nodes), c->covered_percent, c->folded);
    if (r->type && c->macs)
        result_more(to, "; %.1f%% of %.3f million multiply-accumulates", c->macs_percent, (double)c->macs / 1e6);
    if (c->macs_unknown)
        result_more(to, "; nobody counted the multiply-accumulates of %s", say_count(c->macs_unknown, "node", nodes));
}

static const struct delegate *whose(const struct coverage_run *r, const struct verdict *v)
{
    return r->asked[0] && r->asked[1] ? r->coverage.parts.parts[v->partition].delegate : r->delegate;
}

/* Covered nodes that differ from the CPU's by design (lib/graph/float_weights.h): how many, and their operators, each once. */
static uint32_t hybrid_nodes(const struct coverage_run *r, char *ops, size_t size)
{
    uint32_t n = 0;

    if (size)
        *ops = '\0';
    for (uint32_t i = 0; r->delegate && i < r->coverage.n_verdicts; i++) {
        const struct verdict *v = &r->coverage.verdicts[i];

        if (!v->covered || !node_is_hybrid(v->node) || !whose(r, v)->multiplies_floats)
            continue;
        n++;
        if (size)
            node_name_once(ops, size, v->node);
    }
    return n;
}

static void add_hybrid(struct result_section *to, const struct coverage_run *r)
{
    char ops[256], nodes[SAY_COUNT_SIZE];
    const uint32_t n = hybrid_nodes(r, ops, sizeof ops);

    if (n)
        result_line(
            to, RESULT_PLAIN,
            "By design: %s (%s): floats times weights of 8 bits or fewer; the CPU quantizes the floats first, the %s does not.",
            say_count(n, "node", nodes), ops, coverage_backend(r));
}

/* The messages of TFLite's GPU delegate, the older one and the current one: scripts look for either. */
static enum status add_delegate_messages(struct result_section *to, const struct coverage_run *r, struct err *err)
{
    const struct coverage *c = &r->coverage;

    result_gap(to);
    if (c->first_refused)
        result_line(to, RESULT_PLAIN,
                    "WARNING: op code #%d cannot be handled by this delegate.  Only the first %u ops will run on the %s, and the "
                    "remaining %u on the CPU.",
                    c->first_refused->node->builtin, c->parts.n_delegated, coverage_backend(r), c->parts.n_cpu);
    return assignment_add_refusals(to, c->graphs[0], &c->parts, coverage_backend(r), err);
}

static void add_requirements(struct result_section *to, const struct requirements *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const struct requirement *q = &list->list[i];

        result_line(to, q->met ? RESULT_PLAIN : RESULT_TITLE | RESULT_CAUTION, "Required: %.127s: %s, %s", q->text,
                    q->met ? "met" : "not met", q->found);
    }
}

/* Of several rule sets. */
static enum status add_several(struct result_section *to, const struct coverage_run *r, struct err *err)
{
    enum status st = ST_OK;

    coverage_add_table(to, r);
    for (uint32_t i = 0; i < r->n_columns && !st; i++)
        st = coverage_add_log(to, &r->columns[i], r->columns[i].name, err);
    for (uint32_t i = 0; i < r->n_columns; i++)
        if (r->columns[i].requirements.n) {
            result_gap(to);
            result_line(to, RESULT_PLAIN, "%s:", r->columns[i].name);
            add_requirements(to, &r->columns[i].requirements);
        }
    return st;
}

/* ---- the page ---- */

static void add_headline(struct result_section *to, const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    char detail[COVERAGE_WORDS_SIZE];

    snprintf(detail, sizeof detail, "%u of %u nodes, %u folded", c->covered, c->to_run, c->folded);
    result_figure(to, "Covered", detail, "%.1f %%", c->covered_percent);
    if (c->macs) {
        snprintf(detail, sizeof detail, "of %.3f million", (double)c->macs / 1e6);
        result_figure(to, "Multiply-accumulates", detail, "%.1f %%", c->macs_percent);
    }
    if (!r->type)
        return;
    snprintf(detail, sizeof detail, "%u before limits", c->parts.n_before_limits);
    result_figure(to, "Partitions", detail, "%u", c->parts.n_parts);
    snprintf(detail, sizeof detail, "%llu in, %llu out", (unsigned long long)c->bytes_in, (unsigned long long)c->bytes_out);
    result_figure(to, "Bytes that cross", detail, "%" PRIu64, c->bytes_in + c->bytes_out);
}

static enum status add_refusals(struct coverage_run *r, struct err *err)
{
    static const struct result_column columns[] = {{.title = "operator", .heading = "refused operator", .markdown = RESULT_CODE},
                                                   {.title = "nodes", PAGE_NUMBER("nodes")},
                                                   {.title = "first node", PAGE_NUMBER("first node")},
                                                   {.title = "reason", .heading = "reason", .markdown = RESULT_AS_IS},
                                                   {.title = "why", .heading = "why", .markdown = RESULT_CODE}};
    struct coverage_refusal *list;
    struct arena own = {0};
    enum status st = coverage_refusals(&r->coverage, &own, &list, &r->n_refusals, err);
    struct result_table *t = results_table(r->results.parts[COVERAGE_REFUSALS], columns, COUNT(columns), NULL);

    for (uint32_t i = 0; !st && i < r->n_refusals; i++) {
        const struct verdict *v = list[i].first;

        result_text(t, "%s", v->node->name);
        RESULT_NUMBERS(t, list[i].n_nodes, v->node->index);
        result_text(t, "%s", reason_name(v->why.code));
        result_text(t, "%s", v->why.text);
    }
    arena_free(&own);
    return st;
}

static enum status draw_pictures(struct html *h, const void *arg, struct err *err)
{
    return coverage_put_pictures(h, arg, err);
}

/* ---- the report ---- */

static void put_delegate(struct report *r, const struct coverage_run *run)
{
    struct json *o = json_object(r, report_root(r), "asked"), *list;

    JSON_STRINGS(r, o,
                 {"delegate", run->n_columns ? run->columns[0].name
                              : run->type    ? run->type->name
                                             : "none"},
                 {"device", run->delegate && !run->is_static ? run->delegate->device : NULL},
                 {"limits_of", run->delegate && *run->flags.known ? run->delegate->device : NULL});
    list = json_array(r, o, "delegates");
    for (uint32_t i = 0; run->asked[i]; i++)
        json_string(r, list, NULL, run->asked[i]->type->label);
}

/* What would run; null where nobody tells. */
static void put_outline(struct report *r, struct json *in, const struct coverage *c)
{
    struct json *list;

    JSON_NUMBERS(r, in, {"dispatches", c->outlined ? c->dispatches : NAN}, {"transfers", c->outlined ? c->transfers : NAN});
    if (!json_given(r, in, "copies", c->outlined))
        return;
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
                 {"hybrid_nodes", hybrid_nodes(run, hybrid, sizeof hybrid)});
    json_names(r, o, "hybrid_operators", hybrid);
    JSON_NUMBERS(r, o, {"macs", (double)c->macs}, {"macs_covered", (double)c->macs_covered}, {"macs_unknown", c->macs_unknown},
                 {"bytes_in", run->type ? (double)c->bytes_in : NAN}, {"bytes_out", run->type ? (double)c->bytes_out : NAN});
    put_outline(r, o, c);
    put_called(r, o, &c->called);
    report_partitioning(r, o, c->graphs[0], run->type ? &c->parts : NULL);
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

    if (!json_given(r, report_root(r), key, run->type))
        return;
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

/* ---- the whole ---- */

static const char *const headings[COVERAGE_PARTS] = {[COVERAGE_RULES] = "Rule sets",
                                                     [COVERAGE_REFUSALS] = "What is not covered",
                                                     [COVERAGE_GAINS] = "What would help",
                                                     [COVERAGE_OPERATORS] = "Operators",
                                                     [COVERAGE_FLAGS] = "Flags"};

/* Of one that was asked; TFLite's errors stand before the last. */
static const int in_text[] = {COVERAGE_MODEL, COVERAGE_SIGNATURE,  COVERAGE_ASKED,  COVERAGE_OPERATORS,
                              COVERAGE_NODES, COVERAGE_PARTITIONS, COVERAGE_CALLED, COVERAGE_GAINS,
                              COVERAGE_COST,  COVERAGE_TOTALS,     COVERAGE_ANSWER};
static const int last[] = {COVERAGE_LOG, COVERAGE_REQUIRED, COVERAGE_EXTRACTED};
static const int of_several[] = {COVERAGE_MODEL, COVERAGE_SIGNATURE, COVERAGE_ASKED, COVERAGE_TABLE};
static const int on_page[] = {COVERAGE_HEADLINE, COVERAGE_PAGE_ASKED, COVERAGE_CALLED,   COVERAGE_SIGNATURE,
                              COVERAGE_REQUIRED, COVERAGE_RULES,      COVERAGE_REFUSALS, COVERAGE_GAINS,
                              COVERAGE_PICTURES, COVERAGE_OPERATORS,  COVERAGE_FLAGS};

static enum status add_text(struct results *to, const struct coverage_run *r, struct err *err)
{
    enum status st;

    if (r->n_columns > 1)
        return add_several(to->parts[COVERAGE_TABLE], r, err);
    if (r->tool.verbose)
        add_nodes(to->parts[COVERAGE_NODES], r);
    if (r->type)
        add_partitions(to->parts[COVERAGE_PARTITIONS], r);
    add_totals(to->parts[COVERAGE_TOTALS], r);
    add_hybrid(to->parts[COVERAGE_TOTALS], r);
    if ((st = coverage_add_answer(to->parts[COVERAGE_ANSWER], r, err)))
        return st;
    coverage_extract_results(to->parts[COVERAGE_EXTRACTED], &r->extracted);
    if (r->n_columns && r->columns[0].rules)
        return coverage_add_log(to->parts[COVERAGE_LOG], &r->columns[0], NULL, err);
    return r->type && r->coverage.parts.n_cpu ? add_delegate_messages(to->parts[COVERAGE_LOG], r, err) : ST_OK;
}

/* All but what is put behind the rewrite. */
static enum status build(struct results *to, const struct coverage_run *r, struct err *err)
{
    results_init(to, headings, COVERAGE_PARTS, *r->tool.json);
    if (to->report)
        report_head(to->report, &r->tool, r->path);
    put_delegate(to->report, r);
    put_totals(to->report, r);
    add_headline(to->parts[COVERAGE_HEADLINE], r);
    add_head(to, r);
    add_ops(to, r);
    add_gains(to->parts[COVERAGE_GAINS], r);
    add_requirements(to->parts[COVERAGE_REQUIRED], &r->requirements);
    coverage_cost_results(to->parts[COVERAGE_COST], to->report, &r->cost, coverage_backend(r));
    result_chart(to->parts[COVERAGE_PICTURES], draw_pictures, r);
    page_add_flags(to->parts[COVERAGE_FLAGS], &r->tool);
    return add_text(to, r, err);
}

enum status coverage_say(struct coverage_run *r, struct err *err)
{
    enum status st = build(&r->results, r, err);

    if (st)
        return st;
    if (r->n_columns > 1)
        return results_say_parts(&r->results, of_several, COUNT(of_several), err);
    if ((st = results_say_parts(&r->results, in_text, COUNT(in_text), err)))
        return st;
    if (r->coverage.n_graphs)
        say_tflite_errors(r->coverage.graphs[0]);
    return results_say_parts(&r->results, last, COUNT(last), err);
}

enum status coverage_results_finish(struct coverage_run *run, struct err *err)
{
    struct report *r = run->results.report;

    coverage_fix_put(r, report_root(r), &run->fix);
    put_verdicts(r, &run->coverage);
    put_gains(r, run, COVERAGE_IF_OPERATOR, "with_one_more_operator");
    put_gains(r, run, COVERAGE_IF_REASON, "without_one_reason");
    put_gains(r, run, COVERAGE_IF_NODE, "with_one_more_node");
    json_number(r, report_root(r), "nodes_not_tried", run->coverage.n_untried);
    coverage_put_requirements(r, report_root(r), &run->requirements);
    coverage_rules_results(&run->results, run);
    coverage_extract_put(r, &run->extracted);
    return add_refusals(run, err);
}

enum status coverage_write_json(const struct coverage_run *r, struct err *err)
{
    return report_write(r->results.report, r->tool.json, err);
}

enum status coverage_write_html(const struct coverage_run *r, struct err *err)
{
    struct html *h = html_new_with("op_coverage", r->path, &coverage_picture_own);

    return results_write_page(&r->results, on_page, COUNT(on_page), h, r->flags.html, err);
}
