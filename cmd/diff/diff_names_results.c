/* SPDX-License-Identifier: Apache-2.0 */
/* diff_names_results.c - tensors that have one name on both sides as a table, and the first that is off. */
#include "cmd/diff/diff_results.h"
#include "cmd/host/say.h"

void diff_names_skipped(struct result_section *to, const struct name_diffs *o)
{
    static const char *const because[] = {
        [NAME_DIFF_SHAPE] = "their shape is decided while running", [NAME_DIFF_NO_DATA] = "one of the two holds no data"};
    char tensors[SAY_COUNT_SIZE];

    for (enum name_diff_skip why = 0; why < NAME_DIFF_SKIPS; why++) {
        bool some = false;

        for (const struct name_diff *row = o->rows; row < o->rows + o->n; row++)
            some = some || (row->skipped[why] && row->diff.comparisons);
        if (name_diffs_skipped(o, why))
            result_line(to, RESULT_PLAIN, "%s could not be compared%s: %s.",
                        say_count(name_diffs_skipped(o, why), "tensor", tensors), some ? " in every run" : "", because[why]);
    }
}

uint32_t diff_names_turned(const struct name_diffs *o)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < o->n; i++)
        n += o->rows[i].layout != NULL;
    return n;
}

void diff_names_first_off(struct result_section *to, const struct name_diff *first)
{
    char failed[DIFF_FAILED_SIZE], allowed[160];

    result_line(to, RESULT_PLAIN,
                "First beyond what it is allowed, in the order of execution: node %u %.63s, tensor '%.95s', max_error %.4g (%s); "
                "allowed %s.",
                first->node->index, first->node->name, first->test->name, diff_max_abs(&first->diff),
                diff_failed_text(diff_failed_on(&first->diff), failed), diff_allowed_text(&first->diff, allowed, sizeof allowed));
}

void diff_names_put_off(struct report *r, struct json *in, const struct name_diff *first)
{
    json_number(r, in, "node", first->node->index);
    json_string(r, in, "op", first->node->name);
    json_string(r, in, "name", first->test->name);
    json_number(r, in, "max_error", diff_max_abs(&first->diff));
    diff_put_failed_on(r, in, diff_failed_on(&first->diff));
}

#define FIGURE(name, of_text, of_page)                                                                                             \
    .key = (name), .title = (of_text), .pad = " %10s", .number = "%.4g", .heading = (of_page), .right = true

void diff_names_table(struct result_section *to, struct json *list, const struct name_diffs *o)
{
    static const struct result_column columns[] = {
        {.title = "", .pad = "%1s"},
        {.key = "node", .title = "node", .pad = "%5s", .heading = "node", .right = true},
        {.key = "op", .title = "operator", .pad = " %-24.63s", .heading = "operator"},
        {.key = "name"},
        {.key = "layout"},
        {.key = "dequantized"},
        {.key = "runs_compared"},
        {FIGURE("max_error", "max_error", "largest error")},
        {FIGURE("relative", "relative", "relative")},
        {FIGURE("mean_error", "mean_error", "mean")},
        {.key = "snr_db", .title = "snr dB", .pad = " %8s", .number = "%.2f", .heading = "SNR dB", .right = true},
        {.title = "tensor", .pad = "  %.127s", .heading = "tensor"}};
    const struct name_diff *worst = name_diffs_worst(o), *first = name_diffs_first_off(o);
    struct result_table *t = results_table(to, columns, sizeof columns / sizeof *columns, list);

    for (const struct name_diff *row = o->rows; row < o->rows + o->n; row++) {
        const struct diff *d = &row->diff;

        result_text(t, "%s", row == worst ? "!" : row == first ? ">" : " ");
        result_number(t, row->node->index);
        result_text(t, "%s", row->node->name);
        result_text(t, "%s", row->test->name);
        if (row->layout)
            result_text(t, "%s", row->layout->name);
        else
            result_none(t);
        result_bool(t, name_diff_dequantized(row));
        result_number(t, (double)d->comparisons);
        if (d->comparisons)
            RESULT_NUMBERS(t, diff_max_abs(d), diff_relative(d), diff_mean_abs(d), diff_snr_db(d));
        for (int i = 0; !d->comparisons && i < 4; i++)
            result_none(t);
        result_text(t, "%s", row->test->name);
        if (row->layout)
            result_append(t, " (%s)", row->layout->name);
        if (name_diff_dequantized(row))
            result_append(t, " (dequantized)");
    }
}
