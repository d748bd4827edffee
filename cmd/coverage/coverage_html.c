/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_html.c - --html: the answer as a page, with a picture of the graph. */
#include <inttypes.h>

#include "cmd/coverage/coverage_outputs.h"
#include "cmd/coverage/coverage_picture.h"
#include "cmd/coverage/coverage_words.h"
#include "cmd/tool/page_parts.h"
#include "lib/coverage/coverage_refusals.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void put_headline(struct html *h, const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    char value[PAGE_VALUE_SIZE], detail[COVERAGE_WORDS_SIZE];

    snprintf(value, sizeof value, "%.1f %%", c->covered_percent);
    snprintf(detail, sizeof detail, "%u of %u nodes, %u folded", c->covered, c->to_run, c->folded);
    html_figure(h, "Covered", value, detail);
    if (c->macs) {
        snprintf(value, sizeof value, "%.1f %%", c->macs_percent);
        snprintf(detail, sizeof detail, "of %.3f million", (double)c->macs / 1e6);
        html_figure(h, "Multiply-accumulates", value, detail);
    }
    if (!r->type)
        return;
    snprintf(value, sizeof value, "%u", c->parts.n_parts);
    snprintf(detail, sizeof detail, "%u before limits", c->parts.n_before_limits);
    html_figure(h, "Partitions", value, detail);
    snprintf(value, sizeof value, "%" PRIu64, c->bytes_in + c->bytes_out);
    snprintf(detail, sizeof detail, "%llu in, %llu out", (unsigned long long)c->bytes_in, (unsigned long long)c->bytes_out);
    html_figure(h, "Bytes that cross", value, detail);
}

static void put_asked(struct html *h, const struct coverage_run *r)
{
    char words[COVERAGE_WORDS_SIZE];

    html_note(h, "Delegate: %s", coverage_asked(r, words));
    if (*coverage_called_words(r, words))
        html_note(h, "Called subgraphs: %s", words);
    if (*r->signature)
        html_note(h, "Signature: %s (subgraph %u), one of %u", r->signature, r->tool.subgraph, r->tool.model->n_signatures);
    if (r->coverage.cannot_run)
        html_warning(h, "This model runs nowhere, so operators are known by their names alone: %s", r->coverage.cannot_run);
    for (uint32_t i = 0; i < r->requirements.n; i++) {
        const struct requirement *q = &r->requirements.list[i];

        if (q->met)
            html_note(h, "Required: %s: met, %s", q->text, q->found);
        else
            html_warning(h, "Required: %s: not met, %s", q->text, q->found);
    }
}

static enum status put_refusals(struct html *h, const struct coverage *c, struct err *err)
{
    static const struct html_column columns[] = {
        {"refused operator", false}, {"nodes", true}, {"first node", true}, {"reason", false}, {"why", false}};
    struct coverage_refusal *list;
    struct arena own = {0};
    uint32_t n;
    enum status st = coverage_refusals(c, &own, &list, &n, err);

    if (!st && n) {
        html_section(h, "What is not covered");
        html_table(h, columns, COUNT(columns));
    }
    for (uint32_t i = 0; !st && i < n; i++) {
        html_cell(h, "%s", list[i].first->node->name);
        html_cell(h, "%u", list[i].n_nodes);
        html_cell(h, "%u", list[i].first->node->index);
        html_cell(h, "%s", reason_name(list[i].first->why.code));
        html_cell(h, "%s", list[i].first->why.text);
    }
    arena_free(&own);
    return st;
}

static void put_gains(struct html *h, const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    char words[COVERAGE_WORDS_SIZE], counts[COVERAGE_WORDS_SIZE];

    if (c->n_gains)
        html_section(h, "What would help");
    for (uint32_t i = 0; i < c->n_gains; i++)
        html_item(h, "%s: %s", coverage_gain_words(r, &c->gains[i], words), coverage_gain_counts(&c->gains[i], counts));
    if (c->n_untried)
        html_item(h, "%s", coverage_untried_words(c, words));
}

/* Several rule sets side by side; what the page says elsewhere is the first one's. */
static void put_rules(struct html *h, const struct coverage_run *r)
{
    static const struct html_column columns[] = {{"rule set", false}, {"", false},     {"yes", true},       {"no", true},
                                                 {"incorrect", true}, {"crash", true}, {"delegated", true}, {"partitions", true}};

    if (!r->n_columns)
        return;
    html_section(h, "Rule sets");
    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; i < r->n_columns; i++) {
        const struct coverage_column *column = &r->columns[i];
        uint32_t counts[RULES_ANSWERS];

        coverage_count_answers(column->coverage, counts);
        html_cell(h, "%s", column->name);
        html_cell(h, "%s", column->title);
        for (int a = 0; a < RULES_ANSWERS; a++)
            html_cell(h, "%u", counts[a]);
        html_cell(h, "%u", column->coverage->parts.n_delegated);
        html_cell(h, "%u", column->coverage->parts.n_parts);
    }
    html_note(h, "All else on this page is the answer of %s; of a node all answers are shown where it is pointed at.",
              r->columns[0].name);
}

static void put_op(struct html *h, const struct coverage_op *op)
{
    html_cell(h, "%s", op->name);
    html_cell(h, "%u", op->nodes);
    html_cell(h, "%u", op->covered);
    html_cell(h, "%u", op->folded);
    if (op->macs_unknown && op->macs_unknown == op->nodes - op->folded)
        html_cell(h, "unknown");
    else
        html_cell(h, "%.3f", (double)op->macs / 1e6);
    if (op->max_version > op->min_version)
        html_cell(h, "%d-%d", op->min_version, op->max_version);
    else
        html_cell(h, "%d", op->min_version);
}

static void put_ops(struct html *h, const struct coverage *c)
{
    static const struct html_column columns[] = {{"operator", false}, {"nodes", true}, {"covered", true},
                                                 {"folded", true},    {"MMAC", true},  {"version", true}};

    html_section(h, "Operators");
    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; i < c->n_ops; i++)
        put_op(h, &c->ops[i]);
    html_note(h, "MMAC: millions of multiply-accumulates of one inference.");
}

enum status coverage_write_html(const struct coverage_run *r, struct err *err)
{
    struct html *h = html_new_with("op_coverage", r->path, &coverage_picture_own);
    enum status st;

    put_headline(h, r);
    put_asked(h, r);
    put_rules(h, r);
    if (!(st = put_refusals(h, &r->coverage, err))) {
        put_gains(h, r);
        st = coverage_put_pictures(h, r, err);
    }
    if (!st) {
        put_ops(h, &r->coverage);
        page_put_flags(h, &r->tool);
        st = html_write(h, r->flags.html, err);
    }
    html_free(h);
    return st;
}
