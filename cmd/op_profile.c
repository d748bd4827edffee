/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile.c - collecting profile rows over several runs, and TFLite's tables of them. */
#include "op_profile.h"

#include <stdlib.h>
#include <string.h>

#include "bench_loop.h"
#include "say.h"

#define PROFILE_MAX_RUNS 20
#define PROFILE_MAX_SECS 2.0
#define TOP_ROWS         10

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "no memory for the op profile");
}

/* "[a, b]:17": the outputs of the last node, and all nodes. */
static char *node_label(const struct profile_row *r, struct arena *a)
{
    const struct node *last = r->nodes[r->n_nodes - 1];
    char *text = arena_strdup(a, "[");

    for (uint32_t i = 0; i < last->n_out && text; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", last->out[i] ? last->out[i]->name : "");
    for (uint32_t i = 0; i < r->n_nodes && text; i++)
        text = arena_printf(a, "%s%s%u", text, i ? "," : "]:", r->nodes[i]->index);
    return text;
}

static char *row_name(const struct profile_row *r, const struct delegate *d, struct arena *a)
{
    char *nodes = r->n_nodes ? node_label(r, a) : arena_strdup(a, "");

    if (!nodes || r->partition < 0)
        return nodes;
    return arena_printf(a, "%s[%d]%s%s%s%s", d->type->label, r->partition, r->detail ? " " : "", r->detail ? r->detail : "",
                        *nodes ? " " : "", nodes);
}

static enum status copy_row(const struct profile_row *from, const struct delegate *d, struct arena *a, struct op_row *to,
                            struct err *err)
{
    *to = (struct op_row){
        .type = arena_strdup(a, from->type),
        .name = row_name(from, d, a),
        .backend = from->partition < 0 ? "cpu" : d->type->name,
        .nodes = ARENA_ARRAY(a, from->n_nodes, uint32_t),
        .n_nodes = from->n_nodes,
        .partition = from->partition,
        .timed = from->timed,
        .first_us = (double)from->ns / 1e3,
    };
    if (!to->type || !to->name || !to->nodes)
        return no_memory(err);
    for (uint32_t i = 0; i < from->n_nodes; i++)
        to->nodes[i] = from->nodes[i]->index;
    return ST_OK;
}

static enum status first_run(struct op_profile *p, const struct delegate *d, const struct profile_row *rows, size_t n,
                             struct err *err)
{
    enum status st = ST_OK;

    if (!(p->rows = ARENA_ARRAY(&p->arena, n, struct op_row)))
        return no_memory(err);
    for (; p->n_rows < n && !st; p->n_rows++)
        st = copy_row(&rows[p->n_rows], d, &p->arena, &p->rows[p->n_rows], err);
    return st;
}

static enum status add_run(struct op_profile *p, const struct delegate *d, const struct profile_row *rows, size_t n,
                           double *total_us, struct err *err)
{
    enum status st;

    if (!p->runs && (st = first_run(p, d, rows, n, err)))
        return st;
    if (n != p->n_rows)
        return err_set(err, ST_FAILED, "profile run %u had %zu steps, the first had %zu", p->runs, n, p->n_rows);
    *total_us = 0;
    for (size_t i = 0; i < n; i++) {
        p->rows[i].sum_us += (double)rows[i].ns / 1e3;
        p->rows[i].timed &= rows[i].timed;
        *total_us += (double)rows[i].ns / 1e3;
    }
    p->runs++;
    return ST_OK;
}

enum status op_profile_collect(struct session *s, const struct delegate *d, struct op_profile *out, struct err *err)
{
    uint64_t start = clock_ns();
    double total_us[PROFILE_MAX_RUNS];
    enum status st = ST_OK;

    *out = (struct op_profile){0};
    while (!st && out->runs < PROFILE_MAX_RUNS && !interrupted()) {
        const struct profile_row *rows;
        size_t n;

        if (!(st = session_profile(s, &rows, &n, err)))
            st = add_run(out, d, rows, n, &total_us[out->runs], err);
        if ((double)(clock_ns() - start) / 1e9 > PROFILE_MAX_SECS)
            break;
    }
    return st ? st : stats_of(total_us, out->runs, &out->total, err);
}

enum status op_profile_add(struct op_profile *p, const char *name, double us, struct err *err)
{
    struct op_row *rows = ARENA_ARRAY(&p->arena, p->n_rows + 1, struct op_row);
    double total = p->total.sum + us;

    if (!rows)
        return no_memory(err);
    if (p->n_rows)
        memcpy(rows, p->rows, p->n_rows * sizeof *rows);
    rows[p->n_rows++] = (struct op_row){name, name, "cpu", NULL, 0, -1, true, us, us};
    p->rows = rows;
    p->runs = 1;
    return stats_of(&total, 1, &p->total, err);
}

static int by_sum(const void *a, const void *b)
{
    const struct op_row *x = *(const struct op_row *const *)a, *y = *(const struct op_row *const *)b;

    return (x->sum_us < y->sum_us) - (x->sum_us > y->sum_us);
}

static int by_avg(const void *a, const void *b)
{
    const struct op_sum *x = a, *y = b;

    return (x->avg_us < y->avg_us) - (x->avg_us > y->avg_us);
}

enum status op_profile_by_type(const struct op_profile *p, struct op_sum **out, size_t *n, struct err *err)
{
    *n = 0;
    if (!(*out = calloc(p->n_rows + 1, sizeof **out)))
        return no_memory(err);
    for (size_t i = 0; i < p->n_rows; i++) {
        size_t k = 0;

        while (k < *n && strcmp((*out)[k].type, p->rows[i].type) != 0)
            k++;
        *n += k == *n;
        (*out)[k].type = p->rows[i].type;
        (*out)[k].avg_us += p->rows[i].sum_us / p->runs;
        (*out)[k].count++;
    }
    qsort(*out, *n, sizeof **out, by_avg);
    return ST_OK;
}

static void say_title(const char *title)
{
    say_text("============================== %s ==============================\n", title);
}

static void say_rows(const char *title, struct op_row *const *rows, size_t n, const struct op_profile *p)
{
    double all = p->total.sum > 0 ? p->total.sum : 1, so_far = 0;
    char type[64], name[512];

    say_title(title);
    say_text("\t%40s\t%9s\t%9s\t%8s\t%8s\t%10s\t%s\t%s\n", "[node type]", "[first]", "[avg ms]", "[%]", "[cdf%]", "[mem KB]",
             "[times called]", "[Name]");
    for (size_t i = 0; i < n; i++) {
        double share = 100 * rows[i]->sum_us / all;

        so_far += share;
        say_text("\t%40s\t%9.3f\t%9.3f\t%7.3f%%\t%7.3f%%\t%10.3f\t%9u\t%s%s\n", say_clean(rows[i]->type, type, sizeof type),
                 rows[i]->first_us / 1e3, rows[i]->sum_us / p->runs / 1e3, share, so_far, 0.0, 1u,
                 say_clean(rows[i]->name, name, sizeof name), rows[i]->timed ? "" : " (no time from the driver)");
    }
    say_text("\n");
}

static void say_types(const struct op_sum *sums, size_t n, double all)
{
    double so_far = 0;
    char type[64];

    say_title("Summary by node type");
    say_text("\t%40s\t%9s\t%10s\t%11s\t%11s\t%10s\t%s\n", "[Node type]", "[count]", "[avg ms]", "[avg %]", "[cdf %]", "[mem KB]",
             "[times called]");
    for (size_t i = 0; i < n; i++) {
        double share = 100 * sums[i].avg_us / (all > 0 ? all : 1);

        so_far += share;
        say_text("\t%40s\t%9u\t%10.3f\t%10.3f%%\t%10.3f%%\t%10.3f\t%9u\n", say_clean(sums[i].type, type, sizeof type),
                 sums[i].count, sums[i].avg_us / 1e3, share, so_far, 0.0, sums[i].count);
    }
    say_text("\n");
}

enum status op_profile_say(const struct op_profile *p, const char *title, struct err *err)
{
    struct op_row **rows = calloc(p->n_rows + 1, sizeof *rows);
    struct op_sum *sums = NULL;
    enum status st;
    char line[320];
    size_t n;

    if (!rows)
        return no_memory(err);
    if ((st = op_profile_by_type(p, &sums, &n, err)))
        goto out;
    for (size_t i = 0; i < p->n_rows; i++)
        rows[i] = &p->rows[i];
    say_info("%s", title);
    say_rows("Run Order", rows, p->n_rows, p);
    qsort(rows, p->n_rows, sizeof *rows, by_sum);
    say_rows("Top by Computation Time", rows, p->n_rows < TOP_ROWS ? p->n_rows : TOP_ROWS, p);
    say_text("Number of nodes executed: %zu\n", p->n_rows);
    say_types(sums, n, p->total.avg);
    say_text("Timings (microseconds): %s\n", stats_line(&p->total, false, line, sizeof line));
    say_text("Memory (bytes): count=0\n%zu nodes observed\n\n\n\n", p->n_rows);
out:
    free(sums);
    free(rows);
    return st;
}
