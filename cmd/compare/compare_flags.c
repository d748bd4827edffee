/* SPDX-License-Identifier: Apache-2.0 */
/* compare_flags.c - the flags of benchmark_compare. */
#include "cmd/compare/compare.h"

#include <string.h>

#include "cmd/tool/help.h"

#define FLAG_OPTIONS struct compare_flags
#define ROW          FLAG_ROW

const struct flag compare_flag_table[] = {
    ROW(JUDGE, "alpha", FLAG_TAKES_NUMBER(0, 1), alpha, "0.05", "Alpha",
        "Call a difference significant if its p value is below this number; above 0 and below 1."),
    ROW(JUDGE, "fail_if_slower", FLAG_TAKES_TEXT, fail_if_slower, "5%", "Fail if slower",
        "Fail (exit status 1) if runs are shown to take longer by more than this percentage: its 99 % interval lies above."),
    ROW(JUDGE, "allow_differences", FLAG_TAKES_BOOL, allow_differences, "false", "Allow differences",
        "Compare reports of different models, devices, threads or precisions, too; of two folders, pair files of one name."),
    ROW(OUTPUT, "markdown", FLAG_WRITES_REPORT, markdown, "", "Markdown",
        "Write the comparison to this file as Markdown; without a file, or -: print tables in Markdown.", .bare = "-"),
    ROW(OUTPUT, "html", FLAG_WRITES_FILE, html, "", "HTML report", "Write the comparison to this file, as one HTML page."),
    {0},
};

static const struct cli_help_line examples[] = {
    {"old.json new.json", "reports of benchmark_model --json"},
    {"old*.json -- new*.json", "several runs a side: a safer gate"},
    {"before/ after/", "two folders, matched by model"},
    {"old.json new.json --fail_if_slower=10%", "status 1 above 10 %"},
    {0},
};

static const struct cli_help_line most_used[] = {
    {"fail_if_slower=5%", "fail if runs are shown to take longer by more than this"},
    {"alpha=0.05", "significant: the p value is below this number"},
    {"allow_differences", "compare reports of other models or settings, too"},
    {"verbose", "list operators without a difference, too"},
    {"markdown=FILE, --html=FILE", "write the comparison for people"},
    {"json=FILE", "write the comparison as JSON"},
    {0},
};

const struct cli_help compare_help = {examples, most_used};

enum status compare_alpha(double alpha, struct err *err)
{
    if (alpha > 0 && alpha < 1)
        return ST_OK;
    return err_set(err, ST_USAGE, "--alpha=%g: with 0 no difference could be shown and with 1 any, so it lies between them", alpha);
}

enum status compare_threshold(const char *text, double *out, struct err *err)
{
    if (flag_read_percent(text, out))
        return ST_OK;
    return err_set(err, ST_USAGE, "--fail_if_slower: \"%.40s\" is no number of per cent from 0 on, like 5%%", text);
}
