/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_rules_results.c - several rule sets side by side, their counts, and the words that TFLite's delegate has for one of
 * them. */
#include <stdlib.h>
#include <string.h>

#include "cmd/coverage/coverage_results.h"
#include "cmd/host/say.h"

struct tally {
    uint32_t nodes, of[4]; /* by enum rules_answer; what is folded here is no node of a rule set's */
};

static struct tally count(const struct coverage *c, const char *op)
{
    struct tally t = {0};

    for (uint32_t i = 0; i < c->n_verdicts; i++)
        if (!op || !strcmp(c->verdicts[i].node->name, op)) {
            t.nodes++;
            t.of[c->verdicts[i].answer]++;
        }
    return t;
}

/* "12", "10 of 12", "10 of 12, 1 crash". */
static const char *cell(const struct tally *t, char out[64])
{
    int n = snprintf(out, 64, t->of[RULES_YES] == t->nodes ? "%u" : "%u of %u", t->of[RULES_YES], t->nodes);

    for (enum rules_answer a = RULES_INCORRECT; a <= RULES_CRASH; a++)
        if (t->of[a])
            n += snprintf(out + n, 64 - (size_t)n, ", %u %s", t->of[a], rules_answer_name(a));
    return out;
}

/* op: the row's; NULL: of all. */
static void add_row(struct result_table *t, const struct coverage_run *r, const char *name, const char *op)
{
    char text[64];

    result_text(t, "%s", name);
    for (uint32_t k = 0; k < r->n_columns; k++) {
        struct tally all = count(r->columns[k].coverage, op);

        result_text(t, "%s", cell(&all, text));
    }
}

/* Each different reason of a set once, at its first node. */
static void add_reasons(struct result_section *to, const struct coverage_column *col)
{
    const struct coverage *c = col->coverage;
    char nodes[SAY_COUNT_SIZE], parts[SAY_COUNT_SIZE];

    result_gap(to);
    result_line(to, RESULT_PLAIN, "%s: %.255s", col->name, col->title);
    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        uint32_t first = 0, alike = 0;

        if (v->answer == RULES_YES)
            continue;
        for (uint32_t k = 0; k < c->n_verdicts && !(alike && first < i); k++) {
            const struct verdict *w = &c->verdicts[k];
            const bool same = w->answer == v->answer && w->why.code == v->why.code && !strcmp(w->node->name, v->node->name) &&
                              !strcmp(w->why.text, v->why.text);

            first = same && !alike ? k : first;
            alike += same;
        }
        if (first == i)
            result_line(to, RESULT_PLAIN, "  %s: %.63s, %s from node %u on: %s: %.255s", rules_answer_name(v->answer),
                        v->node->name, say_count(alike, "node", nodes), v->node->index, reason_name(v->why.code), v->why.text);
    }
    result_line(to, RESULT_PLAIN, "  delegated: %u of %s in %s", c->parts.n_delegated, say_count(c->n_verdicts, "node", nodes),
                say_count(c->parts.n_parts, "partition", parts));
}

static void add_each_node(struct result_section *to, const struct coverage_run *r)
{
    result_gap(to);
    result_line(to, RESULT_PLAIN, "Nodes:");
    for (uint32_t i = 0; i < r->coverage.n_verdicts; i++) {
        const struct node *n = r->coverage.verdicts[i].node;

        result_line(to, RESULT_PLAIN, "%5u %.63s v%d:", n->index, n->name, n->version);
        for (uint32_t k = 0; k < r->n_columns; k++)
            result_more(to, " %s=%s", r->columns[k].name, rules_answer_name(r->columns[k].coverage->verdicts[i].answer));
    }
}

void coverage_add_table(struct result_section *to, const struct coverage_run *r)
{
    struct result_column columns[1 + COVERAGE_MOST_COLUMNS] = {{.title = "Operator", .pad = "%-36.63s"}};
    struct result_table *t;

    for (uint32_t k = 0; k < r->n_columns; k++)
        columns[1 + k] = (struct result_column){.title = r->columns[k].name, .right = true};
    result_gap(to);
    t = results_table(to, columns, 1 + r->n_columns, NULL);
    for (uint32_t i = 0; i < r->coverage.n_ops; i++)
        add_row(t, r, r->coverage.ops[i].name, r->coverage.ops[i].name);
    add_row(t, r, "All", NULL);
    coverage_add_change(to, &r->change);
    if (r->tool.verbose)
        add_each_node(to, r);
    for (uint32_t k = 0; k < r->n_columns; k++)
        add_reasons(to, &r->columns[k]);
}

/* ---- TFLite's lines ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "CONV_2D: reason" of what the set refuses, sorted by their bytes and each once, as a set of strings is. */
static enum status list_refused(const struct coverage *c, struct arena *a, char ***out, uint32_t *n, struct err *err)
{
    char **lines = ARENA_ARRAY(a, c->n_verdicts, char *);
    uint32_t kept = 0;

    *n = 0;
    for (uint32_t i = 0; lines && i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        const char *kind = v->node->builtin == BUILTIN_CUSTOM ? "CUSTOM " : "";

        if (v->answer != RULES_NO || v->why.code == REASON_PARTITION_LIMIT || v->why.code == REASON_PARTITION_TOO_SMALL)
            continue;
        if (!(lines[(*n)++] = arena_printf(a, "%s%s: %s", kind, v->node->name, v->why.text)))
            return err_set(err, ST_NOMEM, "out of memory for what is refused");
    }
    if (!(*out = lines))
        return err_set(err, ST_NOMEM, "out of memory for what is refused");
    qsort(lines, *n, sizeof *lines, by_text);
    for (uint32_t i = 0; i < *n; i++)
        if (!kept || strcmp(lines[kept - 1], lines[i]) != 0)
            lines[kept++] = lines[i];
    *n = kept;
    return ST_OK;
}

static void add_counts_2019(struct result_section *to, const struct coverage *c)
{
    const struct verdict *refused = NULL;

    for (uint32_t i = 0; i < c->n_verdicts && !refused; i++)
        if (c->verdicts[i].answer == RULES_NO)
            refused = &c->verdicts[i];
    result_line(to, RESULT_PLAIN, "First %u operations will run on the GPU, and the remaining %u on the CPU.", c->parts.n_delegated,
                c->parts.n_cpu);
    if (refused)
        result_line(to, RESULT_PLAIN,
                    "WARNING: op code #%d cannot be handled by this delegate.  Only the first %u ops will run on the GPU, and the "
                    "remaining %u on the CPU.",
                    refused->node->builtin, c->parts.n_delegated, c->parts.n_cpu);
}

static void add_counts(struct result_section *to, const struct coverage *c)
{
    if (c->parts.n_delegated)
        result_line(to, RESULT_PLAIN, "%u operations will run on the GPU, and the remaining %u operations will run on the CPU.",
                    c->parts.n_delegated, c->parts.n_cpu);
    else
        result_line(to, RESULT_PLAIN, "No operations will run on the GPU, and all %u operations will run on the CPU.",
                    c->parts.n_cpu);
}

static void add_log(struct result_section *to, const struct coverage *c, enum rules_log log, const char *whose, char *const *lines,
                    uint32_t n)
{
    static const char *const heads[] = {[RULES_LOG_NONE] = "",
                                        [RULES_LOG_2019] = "Next operations are not supported by GPU delegate:",
                                        [RULES_LOG_NOW] = "Following operations are not supported by GPU delegate:",
                                        [RULES_LOG_DRIFT] = "Not supported by ML Drift:"};

    result_gap(to);
    if (whose)
        result_line(to, RESULT_PLAIN, "As %s says it:", whose);
    result_line(to, RESULT_PLAIN, "%s", heads[log]);
    for (uint32_t i = 0; i < n; i++)
        result_line(to, RESULT_PLAIN, "%s%.511s", log == RULES_LOG_DRIFT ? "    " : "", lines[i]);
    if (log == RULES_LOG_2019)
        add_counts_2019(to, c);
    else if (log == RULES_LOG_NOW)
        add_counts(to, c);
    else
        result_line(to, RESULT_PLAIN, "%u / %u ops are delegated to ML Drift.", c->parts.n_delegated, c->n_verdicts);
}

enum status coverage_add_log(struct result_section *to, const struct coverage_column *column, const char *whose, struct err *err)
{
    const struct coverage *c = column->coverage;
    struct arena arena = {0};
    char **lines = NULL;
    enum status st;
    uint32_t n = 0;

    if (!column->rules || column->rules->log == RULES_LOG_NONE || !c->parts.n_cpu)
        return ST_OK;
    if (!(st = list_refused(c, &arena, &lines, &n, err)) && n)
        add_log(to, c, column->rules->log, whose, lines, n);
    arena_free(&arena);
    return st;
}

/* ---- the page, Markdown and the report ---- */

static void put_verdicts(struct report *r, struct json *in, const struct coverage *c)
{
    struct json *list = json_array(r, in, "verdicts");

    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        struct json *o = json_object(r, list, NULL);

        json_number(r, o, "node", v->node->index);
        json_string(r, o, "verdict", rules_answer_name(v->answer));
        json_number(r, o, "partition", v->partition);
        JSON_STRINGS(r, o, {"reason_code", v->why.code == REASON_NONE ? NULL : reason_name(v->why.code)},
                     {"reason", v->why.code == REASON_NONE ? NULL : v->why.text});
    }
}

struct coverage_answers coverage_answers_of(const struct coverage *c)
{
    struct coverage_answers a = {.delegated = c->parts.n_delegated, .partitions = c->parts.n_parts};

    for (uint32_t i = 0; i < c->n_verdicts; i++)
        a.of[c->verdicts[i].answer]++;
    return a;
}

void coverage_put_answers(struct report *r, struct json *in, const struct coverage_answers *answers)
{
    for (enum rules_answer a = RULES_YES; a <= RULES_CRASH; a++)
        json_number(r, in, rules_answer_name(a), answers->of[a]);
    JSON_NUMBERS(r, in, {"delegated", answers->delegated}, {"partition_count", answers->partitions});
}

void coverage_rules_results(struct results *results, const struct coverage_run *run)
{
    static const struct result_column columns[] = {
        {.key = "name", .title = "rule set", .heading = "rule set", .markdown = RESULT_CODE},
        {.key = "title", .heading = ""},
        {.key = "yes", .title = "yes", PAGE_NUMBER("yes")},
        {.key = "no", .title = "no", PAGE_NUMBER("no")},
        {.key = "incorrect", .title = "incorrect", PAGE_NUMBER("incorrect")},
        {.key = "crash", .title = "crash", PAGE_NUMBER("crash")},
        {.key = "delegated", .title = "delegated", PAGE_NUMBER("delegated")},
        {.key = "partition_count", .title = "partitions", PAGE_NUMBER("partitions")}};
    struct result_section *to = results->parts[COVERAGE_RULES];
    struct report *r = results->report;
    struct result_table *t = results_table(to, columns, sizeof columns / sizeof *columns, json_array(r, report_root(r), "rules"));

    for (uint32_t i = 0; i < run->n_columns; i++) {
        const struct coverage_column *column = &run->columns[i];
        const struct coverage_answers answers = coverage_answers_of(column->coverage);
        struct json *row = result_row(t);

        result_text(t, "%s", column->name);
        result_text(t, "%s", column->title);
        for (enum rules_answer a = RULES_YES; a <= RULES_CRASH; a++)
            result_number(t, answers.of[a]);
        RESULT_NUMBERS(t, answers.delegated, answers.partitions);
        if (row) {
            put_verdicts(r, row, column->coverage);
            coverage_put_requirements(r, row, &column->requirements);
        }
    }
    if (run->n_columns)
        result_line(to, RESULT_NOTE,
                    "All else on this page is the answer of %s; of a node all answers are shown where it is pointed at.",
                    run->columns[0].name);
    coverage_add_change(to, &run->change);
    coverage_put_change(r, report_root(r), &run->change);
}
