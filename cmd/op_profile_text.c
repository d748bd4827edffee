/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_text.c - tables in the columns of TFLite's profiler: scripts cut them at the tabs. */
#include "op_profile_text.h"

#include "say.h"

#define TOP_ROWS 10

static void say_title(const char *title)
{
    say_text("============================== %s ==============================\n", title);
}

/* mem KB and times called: columns that TFLite's profiler has, and nothing here to fill them with but 0 and once. */
static void say_rows(const char *title, const struct op_line *lines, size_t n)
{
    char type[64], name[512];

    say_title(title);
    say_text("\t%40s\t%9s\t%9s\t%8s\t%8s\t%10s\t%s\t%s\n", "[node type]", "[first]", "[avg ms]", "[%]", "[cdf%]", "[mem KB]",
             "[times called]", "[Name]");
    for (size_t i = 0; i < n; i++) {
        const struct op_row *row = lines[i].row;

        say_text("\t%40s\t%9.3f\t%9.3f\t%7.3f%%\t%7.3f%%\t%10.3f\t%9u\t%s%s\n", say_clean(row->type, type, sizeof type),
                 row->first_us / 1e3, lines[i].avg_us / 1e3, lines[i].percent, lines[i].cumulative_percent, 0.0, 1u,
                 say_clean(row->name, name, sizeof name), row->timed ? "" : " (no time from the driver)");
    }
    say_text("\n");
}

static void say_types(const struct op_line *lines, size_t n)
{
    char type[64];

    say_title("Summary by node type");
    say_text("\t%40s\t%9s\t%10s\t%11s\t%11s\t%10s\t%s\n", "[Node type]", "[count]", "[avg ms]", "[avg %]", "[cdf %]", "[mem KB]",
             "[times called]");
    for (size_t i = 0; i < n; i++)
        say_text("\t%40s\t%9u\t%10.3f\t%10.3f%%\t%10.3f%%\t%10.3f\t%9u\n", say_clean(lines[i].type, type, sizeof type),
                 lines[i].n_rows, lines[i].avg_us / 1e3, lines[i].percent, lines[i].cumulative_percent, 0.0, lines[i].n_rows);
    say_text("\n");
}

enum status op_profile_say(const struct op_profile *p, const char *title, struct err *err)
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
    say_info("%s", title);
    say_rows("Run Order", in_order, p->n_rows);
    say_rows("Top by Computation Time", by_time, p->n_rows < TOP_ROWS ? p->n_rows : TOP_ROWS);
    say_text("Number of nodes executed: %zu\n", p->n_rows);
    say_types(types, n_types);
    say_text("Timings (microseconds): %s\n", stats_line(&p->total, false, line, sizeof line));
    say_text("Memory (bytes): count=0\n%zu nodes observed\n\n\n\n", p->n_rows);
out:
    arena_free(&arena);
    return st;
}
