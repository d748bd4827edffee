/* SPDX-License-Identifier: Apache-2.0 */
/* compare_results.c - the comparison as tables, in text or Markdown, and as JSON: "benchmark_compare" in
 * schema/json/report.schema.json. */
#include <math.h>
#include <string.h>

#include "cmd/compare/compare.h"
#include "cmd/host/say.h"
#include "cmd/print/results.h"
#include "cmd/tool/report_parts.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { IN_WARNINGS, IN_PAIRS, IN_OPS, IN_ENDS, IN_HEADLINE, PARTS };

/* With fewer runs a side the test seldom shows anything, and one odd run decides. */
enum { FEW_RUNS = 9, SIDE_NAME_SIZE = 120 };

static const char *verdict_text(enum verdict v)
{
    static const char *const texts[] = {"not tested", "undecided", "faster", "slower"};

    return texts[v];
}

#define COLUMN(name) .title = (name), .heading = (name)
#define COMPARISON_COLUMNS                                                                                                         \
    {COLUMN("old ms"), .number = "%.4g", .right = true}, {COLUMN("new ms"), .number = "%.4g", .right = true},                      \
        {COLUMN("new/old"), .number = "%.3f", .right = true}, {COLUMN("95 % interval"), .right = true},                            \
        {COLUMN("p"), .number = "%.2g", .right = true},                                                                            \
    {                                                                                                                              \
        COLUMN("verdict")                                                                                                          \
    }

/* In the row of the table, and as object `key` of `in`. */
static void add_comparison(struct results *results, struct result_table *t, struct json *in, const char *key,
                           const struct comparison *c)
{
    struct report *r = results->report;
    struct json *o = json_object(r, in, key);

    RESULT_NUMBERS(t, c->old_median / 1e3, c->new_median / 1e3, c->change.ratio);
    if (isnan(c->change.interval.low))
        result_none(t);
    else
        result_text(t, "%.3f to %.3f", c->change.interval.low, c->change.interval.high);
    if (isnan(c->p_adjusted))
        result_none(t);
    else
        result_number(t, c->p_adjusted);
    result_text(t, "%s", verdict_text(c->verdict));
    JSON_NUMBERS(r, o, {"old_count", (double)c->n_old}, {"new_count", (double)c->n_new},
                 {"old_processes", (double)c->old_processes}, {"new_processes", (double)c->new_processes});
    json_bool(r, o, "paired", c->paired);
    JSON_NUMBERS(r, o, {"old_median", c->old_median}, {"new_median", c->new_median}, {"ratio", c->change.ratio},
                 {"ratio_low", c->change.interval.low}, {"ratio_high", c->change.interval.high}, {"between_processes", c->between},
                 {"within_process", c->within}, {"p", c->p}, {"p_adjusted", c->p_adjusted});
    json_string(r, o, "verdict", verdict_name(c->verdict));
}

const char *compare_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The name of the second side's reports: that of the first, and how many there are beside it. */
static const char *test_name(const struct compare_pair *p, char out[SIDE_NAME_SIZE])
{
    const char *first = compare_file_name(p->sides[1][0]->path);

    if (p->n_sides[1] == 1)
        snprintf(out, SIDE_NAME_SIZE, "%s", first);
    else
        snprintf(out, SIDE_NAME_SIZE, "%.*s and %zu more", SIDE_NAME_SIZE - 40, first, p->n_sides[1] - 1);
    return out;
}

static bool has_several(const struct compare_pair *p)
{
    return p->n_sides[0] > 1 || p->n_sides[1] > 1;
}

/* Whether any pair has several processes a side, or, with `several` false, one. */
static bool any_pair(const struct compare *c, bool several)
{
    bool any = false;

    for (size_t i = 0; i < c->n_pairs; i++)
        any |= has_several(&c->pairs[i]) == several;
    return any;
}

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

static void add_differences(struct results *r, struct json *in, const struct compare_pair *p)
{
    struct json *list = json_array(r->report, in, "differences");

    for (size_t i = 0; i < p->n_differences; i++) {
        const struct compare_difference *d = &p->differences[i];
        struct json *o = json_object(r->report, list, NULL);

        JSON_STRINGS(r->report, o, {"what", d->what}, {"old", d->old_value}, {"new", d->new_value});
        json_bool(r->report, o, "other_measurement", d->bars);
        result_line(r->parts[IN_WARNINGS], RESULT_WARNING, "%s: %.79s was \"%.119s\", is \"%.119s\"%s",
                    compare_file_name(p->sides[1][0]->path), d->what, d->old_value, d->new_value,
                    d->bars ? ": another measurement, compared because of --allow_differences" : "");
    }
}

/* Without --verbose only those that changed. */
static bool is_told(const struct compare *c, const struct compare_op_pair *op)
{
    return c->tool.verbose || op->times.verdict == VERDICT_FASTER || op->times.verdict == VERDICT_SLOWER;
}

static void add_ops(struct results *r, struct json *in, const struct compare *c, const struct compare_pair *p)
{
    static const struct result_column columns[] = {{COLUMN("operator")}, {COLUMN("name")}, COMPARISON_COLUMNS};
    struct json *list = json_array(r->report, in, "ops");
    struct result_section *to = r->parts[IN_OPS];
    struct result_table *t = NULL;
    char name[SIDE_NAME_SIZE];
    size_t told = 0;

    if (!p->n_ops)
        return;
    result_gap(to);
    result_line(to, RESULT_PLAIN, "Operators of %s, p with Holm's correction for their number (%zu):", test_name(p, name),
                p->n_ops);
    result_gap(to);
    for (size_t i = 0; i < p->n_ops; i++) {
        const struct compare_op_pair *op = &p->ops[i];
        struct json *o = json_object(r->report, list, NULL);
        const bool shown = is_told(c, op);

        if (shown && !told++)
            t = results_table(to, columns, COUNT(columns), NULL);
        JSON_STRINGS(r->report, o, {"type", op->op->type}, {"name", op->op->name});
        result_text(shown ? t : NULL, "%s", op->op->type);
        result_text(shown ? t : NULL, "%s", op->op->name);
        add_comparison(r, shown ? t : NULL, o, "us", &op->times);
    }
    if (told && told < p->n_ops)
        result_gap(to);
    if (told < p->n_ops)
        result_line(to, RESULT_PLAIN, "%zu of %zu %s: no difference shown (--verbose lists them).", p->n_ops - told, p->n_ops,
                    p->n_ops == 1 ? "operator" : "operators");
    if (p->n_only_before || p->n_only_after)
        result_line(to, RESULT_PLAIN, "Operators of one report alone: %zu of the old one, %zu of the new one.", p->n_only_before,
                    p->n_only_after);
}

/* Whether two doubts are the same but for their figures. */
static bool same_doubt(const char *a, const char *b)
{
    static const char figures[] = "0123456789.";

    for (;; a++, b++) {
        a += strspn(a, figures);
        b += strspn(b, figures);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* The reports of a side that have a doubt like this one. */
static size_t with_doubt(const struct compare_report *const *reports, size_t n, const char *doubt)
{
    size_t with = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < reports[i]->n_doubts; k++)
            with += same_doubt(reports[i]->doubts[k], doubt);
    return with;
}

/* One line for each doubt that reports of a side have, however many have it. */
static void warn_of_doubts(struct result_section *to, const struct compare_report *const *reports, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < reports[i]->n_doubts; k++) {
            const char *doubt = reports[i]->doubts[k];
            const size_t others = with_doubt(reports + i + 1, n - i - 1, doubt);
            char more[32] = "";

            if (with_doubt(reports, i, doubt))
                continue;
            if (others)
                snprintf(more, sizeof more, " and %zu more", others);
            result_line(to, RESULT_WARNING, "%s%s: %.199s", compare_file_name(reports[i]->path), more, doubt);
        }
}

static void warn_of_sides(struct result_section *to, const struct compare_pair *p)
{
    for (int side = 0; side < 2; side++) {
        warn_of_doubts(to, (const struct compare_report *const *)p->sides[side], p->n_sides[side]);
        for (size_t i = 0; i < p->n_sides[side]; i++)
            if (p->sides[side][i]->interrupted)
                result_line(to, RESULT_WARNING, "%s was interrupted: its figures cover the runs until then",
                            compare_file_name(p->sides[side][i]->path));
    }
    if (p->one_after_other)
        result_line(to, RESULT_WARNING,
                    "%s: all reports of one side are older than those of the other, so that a drift of the machine counts as a "
                    "change: take turns",
                    compare_file_name(p->sides[1][0]->path));
}

static void add_pair(struct results *results, struct result_table *t, struct json *list, const struct compare *c,
                     const struct compare_pair *p)
{
    static const char *const gates[] = {"undecided", "within", "beyond"};
    const size_t more = comparison_more_processes(&p->whole, 1 + c->threshold);
    const bool several = any_pair(c, true);
    struct result_section *to = results->parts[IN_WARNINGS];
    struct report *r = results->report;
    struct json *o = json_object(r, list, NULL);
    char runs[SAY_COUNT_SIZE], name[SIDE_NAME_SIZE];

    put_side(r, o, "old", p, 0);
    put_side(r, o, "new", p, 1);
    add_differences(results, o, p);
    if (!has_several(p) && (p->whole.n_old < FEW_RUNS || p->whole.n_new < FEW_RUNS))
        result_line(to, RESULT_WARNING, "%s: %s against %zu: fewer than %d on a side show little",
                    compare_file_name(p->sides[1][0]->path), say_count(p->whole.n_old, "run", runs), p->whole.n_new, FEW_RUNS);
    warn_of_sides(to, p);
    result_text(t, "%s", test_name(p, name));
    result_text(t, "%s", compare_file_name(p->sides[1][0]->model));
    result_text(t, "%zu, %zu", several ? p->n_sides[0] : p->whole.n_old, several ? p->n_sides[1] : p->whole.n_new);
    add_comparison(results, t, o, "run_us", &p->whole);
    json_bool(r, o, "regression", p->gate == GATE_BEYOND);
    json_string(r, o, "gate", gates[p->gate]);
    json_number(r, o, "more_processes", p->gate == GATE_UNDECIDED && more ? (double)more : NAN);
    add_ops(results, o, c, p);
    JSON_NUMBERS(r, o, {"ops_only_old", (double)p->n_only_before}, {"ops_only_new", (double)p->n_only_after});
}

static void add_pairs(struct results *r, const struct compare *c)
{
    const struct result_column columns[] = {{COLUMN("report")},
                                            {COLUMN("model")},
                                            {COLUMN(any_pair(c, true) ? "processes" : "runs"), .right = true},
                                            COMPARISON_COLUMNS};
    struct result_table *t = results_table(r->parts[IN_PAIRS], columns, COUNT(columns), NULL);
    struct json *list = json_array(r->report, report_root(r->report), "pairs");

    for (size_t i = 0; i < c->n_pairs; i++)
        add_pair(r, t, list, c, &c->pairs[i]);
}

static void add_left_out(struct results *r, const struct compare *c)
{
    static const char *const keys[] = {"unmatched_old", "unmatched_new", "skipped_old", "skipped_new"};
    struct result_section *to = r->parts[IN_WARNINGS];
    struct json *lists[COUNT(keys)];

    for (size_t i = 0; i < COUNT(keys); i++)
        lists[i] = json_array(r->report, report_root(r->report), keys[i]);
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < c->n_skipped[i]; k++) {
            struct json *o = json_object(r->report, lists[2 + i], NULL);

            JSON_STRINGS(r->report, o, {"path", c->skipped[i][k].path}, {"reason", c->skipped[i][k].why});
            result_line(to, RESULT_WARNING, "%s; left out", c->skipped[i][k].why);
        }
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < c->n_unmatched[i]; k++) {
            json_string(r->report, lists[i], NULL, c->unmatched[i][k]->path);
            result_line(to, RESULT_WARNING, "%s has no counterpart, so it is not compared", c->unmatched[i][k]->path);
        }
}

/* What several processes tell that one cannot. */
static void add_spread(struct result_section *to, const struct compare_pair *p)
{
    char name[SIDE_NAME_SIZE];

    if (!isfinite(p->whole.between))
        return;
    result_line(to, RESULT_PLAIN, "%s: medians differ by %.2g %% from process to process.%s", test_name(p, name),
                100 * p->whole.between, p->whole.paired ? " Both sides took turns, so they are compared in pairs." : "");
    if (p->whole.within > p->whole.between)
        result_line(to, RESULT_PLAIN, "%s: the runs of a process leave its median open by %.2g %%: more runs would help.", name,
                    100 * p->whole.within);
}

/* What --fail_if_slower comes to. */
static void add_gate(struct result_section *to, const struct compare *c, const struct compare_pair *p)
{
    const double percent = 100 * c->threshold;
    const size_t more = comparison_more_processes(&p->whole, 1 + c->threshold);
    char name[SIDE_NAME_SIZE];

    test_name(p, name);
    if (p->gate == GATE_BEYOND)
        result_line(to, RESULT_PLAIN, "Regression: %s is slower by %.1f %%, more than the %g %% of --fail_if_slower.", name,
                    100 * (p->whole.change.ratio - 1), percent);
    else if (p->gate == GATE_UNDECIDED && more)
        result_line(
            to, RESULT_PLAIN,
            "Undecided: about %zu more %s a side would tell whether %s is slower by more than the %g %% of --fail_if_slower.", more,
            more == 1 ? "process" : "processes", name, percent);
    else if (p->gate == GATE_UNDECIDED && has_several(p))
        result_line(to, RESULT_PLAIN,
                    "Undecided: the interval of %s does not leave out the %g %% of --fail_if_slower, and a thousand processes "
                    "would not tell either.",
                    name, percent);
}

static void add_ends(struct result_section *to, const struct compare *c)
{
    bool within = true;

    result_gap(to);
    for (size_t i = 0; i < c->n_pairs; i++)
        add_spread(to, &c->pairs[i]);
    result_line(to, RESULT_PLAIN, "The verdict is %s at alpha %g%s; the interval is that of the ratio.",
                any_pair(c, true) ? "that of Student's t test of the processes' medians" : "the two-sided Mann-Whitney U test's",
                c->flags.alpha, c->n_pairs > 1 ? ", p with Holm's correction for the number of comparisons" : "");
    if (any_pair(c, false))
        result_line(to, RESULT_PLAIN,
                    "Of one process a side only changes above %g %% are shown: two processes of one program may differ by that. "
                    "Compare several, OLD*.json -- NEW*.json.",
                    100 * (COMPARISON_FLOOR - 1));
    for (size_t i = 0; i < c->n_pairs; i++) {
        add_gate(to, c, &c->pairs[i]);
        within &= c->pairs[i].gate == GATE_WITHIN;
    }
    if (within)
        result_line(to, RESULT_PLAIN, "No regression: slower by more than the %g %% of --fail_if_slower is ruled out.",
                    100 * c->threshold);
    else if (!c->n_regressions)
        result_line(to, RESULT_PLAIN, "No regression: nothing is shown to be slower by more than the %g %% of --fail_if_slower.",
                    100 * c->threshold);
}

static void add_headline(struct result_section *to, const struct compare *c)
{
    size_t slower = 0, faster = 0;

    for (size_t i = 0; i < c->n_pairs; i++) {
        slower += c->pairs[i].whole.verdict == VERDICT_SLOWER;
        faster += c->pairs[i].whole.verdict == VERDICT_FASTER;
    }
    result_figure(to, "Gate", "--fail_if_slower", "%s", c->n_regressions ? "FAILED" : "passed");
    result_figure(to, "Compared", "", "%zu", c->n_pairs);
    result_figure(to, "Slower", "", "%zu", slower);
    result_figure(to, "Faster", "", "%zu", faster);
}

static enum status write_files(const struct results *r, const struct compare *c, struct err *err)
{
    static const int all[] = {IN_WARNINGS, IN_PAIRS, IN_OPS, IN_ENDS},
                     on_page[] = {IN_HEADLINE, IN_WARNINGS, IN_PAIRS, IN_ENDS, IN_OPS};
    const char *markdown = c->flags.markdown;
    enum status st = ST_OK;

    if (*markdown && strcmp(markdown, "-") != 0)
        st = results_write_markdown(r, all, COUNT(all), markdown, err);
    if (!st && *c->tool.json)
        st = report_write(r->report, c->tool.json, err);
    if (!st && *c->flags.html)
        st = results_write_page(r, on_page, COUNT(on_page), html_new("benchmark_compare", c->tool.cli.operands[0]), c->flags.html,
                                err);
    return st;
}

enum status compare_report(const struct compare *c, struct err *err)
{
    struct results r;
    static const char *const headings[PARTS] = {[IN_PAIRS] = "Reports", [IN_OPS] = "Operators", [IN_ENDS] = "Verdict"};
    const bool markdown = !strcmp(c->flags.markdown, "-");
    enum status st = ST_OK;

    results_init(&r, headings, PARTS, *c->tool.json);
    report_tool(r.report, &c->tool, c->tool.cli.tool);
    report_parameters(r.report, report_root(r.report), &c->tool.cli);
    json_number(r.report, report_root(r.report), "fail_above_ratio", 1 + c->threshold);
    json_bool(r.report, report_root(r.report), "passed", !c->n_regressions);
    add_pairs(&r, c);
    add_left_out(&r, c);
    add_ends(r.parts[IN_ENDS], c);
    add_headline(r.parts[IN_HEADLINE], c);
    for (int i = 0; i < PARTS && !st; i++)
        st = results_say(r.parts[i], markdown ? RESULT_MARKDOWN : RESULT_TEXT, err);
    st = st ? st : write_files(&r, c, err);
    results_fini(&r);
    return st;
}
