/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_text.c - tables in the columns of TFLite's profiler: scripts cut them at the tabs. */
#include "cmd/export/op_profile_text.h"

#include "cmd/host/say.h"

#define TOP_ROWS  10
#define TEXT_SIZE 512

static void print_title(FILE *to, const char *title)
{
    fprintf(to, "============================== %s ==============================\n", title);
}

/* TFLite's CSV cannot hold a comma. */
static const char *without_commas(char *text)
{
    for (char *c = text; *c; c++)
        if (*c == ',')
            *c = '\t';
    return text;
}

/* mem KB and times called: columns that TFLite's profiler has, and nothing here to fill them with but 0 and once. */
static void print_row(FILE *to, const struct op_line *line, bool csv)
{
    const struct op_row *row = line->row;
    char type[64], name[TEXT_SIZE];

    say_clean(row->type, type, sizeof type);
    say_clean(row->name, name, sizeof name);
    if (csv)
        fprintf(to, "%s, %g, %g, %g%%, %g%%, 0, 1, %s\n", type, row->first_us / 1e3, line->avg_us / 1e3, line->percent,
                line->cumulative_percent, without_commas(name));
    else
        fprintf(to, "\t%40s\t%9.3f\t%9.3f\t%7.3f%%\t%7.3f%%\t%10.3f\t%9u\t%s\n", type, row->first_us / 1e3, line->avg_us / 1e3,
                line->percent, line->cumulative_percent, 0.0, 1u, name);
}

static void print_rows(FILE *to, const char *title, const struct op_line *lines, size_t n, bool csv)
{
    print_title(to, title);
    if (csv)
        fputs("node type, first, avg_ms, %, cdf%, mem KB, times called, name\n", to);
    else
        fprintf(to, "\t%40s\t%9s\t%9s\t%8s\t%8s\t%10s\t%s\t%s\n", "[node type]", "[first]", "[avg ms]", "[%]", "[cdf%]", "[mem KB]",
                "[times called]", "[Name]");
    for (size_t i = 0; i < n; i++)
        print_row(to, &lines[i], csv);
    fputs("\n", to);
}

static void print_types(FILE *to, const struct op_line *lines, size_t n, bool csv)
{
    char type[64];

    print_title(to, "Summary by node type");
    if (csv)
        fputs("node type, count, avg_ms, avg %, cdf %, mem KB, times called\n", to);
    else
        fprintf(to, "\t%40s\t%9s\t%10s\t%11s\t%11s\t%10s\t%s\n", "[Node type]", "[count]", "[avg ms]", "[avg %]", "[cdf %]",
                "[mem KB]", "[times called]");
    for (size_t i = 0; i < n; i++)
        fprintf(to, csv ? "%s, %u, %g, %g%%, %g%%, %g, %u\n" : "\t%40s\t%9u\t%10.3f\t%10.3f%%\t%10.3f%%\t%10.3f\t%9u\n",
                say_clean(lines[i].type, type, sizeof type), lines[i].n_rows, lines[i].avg_us / 1e3, lines[i].percent,
                lines[i].cumulative_percent, 0.0, lines[i].n_rows);
    fputs("\n", to);
}

enum status op_profile_tables(FILE *to, const struct op_profile *p, bool csv, struct err *err)
{
    struct op_line *in_order, *by_time, *types;
    struct arena arena = {0};
    enum status st;
    char line[320];
    size_t n_types;

    if ((st = op_profile_rows(p, OP_ORDER_RUN, &arena, &in_order, err)) ||
        (st = op_profile_rows(p, OP_ORDER_TIME, &arena, &by_time, err)) ||
        (st = op_profile_types(p, &arena, &types, &n_types, err)))
        goto out;
    print_rows(to, "Run Order", in_order, p->n_rows, csv);
    print_rows(to, "Top by Computation Time", by_time, p->n_rows < TOP_ROWS ? p->n_rows : TOP_ROWS, csv);
    fprintf(to, "Number of nodes executed: %zu\n", p->n_rows);
    print_types(to, types, n_types, csv);
    fprintf(to, "Timings (microseconds): %s\n", stats_line(&p->total, false, line, sizeof line));
    fprintf(to, "Memory (bytes): count=0\n%zu nodes observed\n\n\n", p->n_rows);
out:
    arena_free(&arena);
    return st;
}
