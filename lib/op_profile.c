/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile.c - collecting profile rows over several runs, and ordering them. */
#include "op_profile.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define PROFILE_MAX_SECS 2.0

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the op profile");
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

static char *row_name(const struct profile_row *r, struct arena *a)
{
    char *nodes = r->n_nodes ? node_label(r, a) : arena_strdup(a, "");

    if (!nodes || !r->delegate)
        return nodes;
    return arena_printf(a, "%s[%d]%s%s%s%s", r->delegate->type->label, r->partition, r->detail ? " " : "",
                        r->detail ? r->detail : "", *nodes ? " " : "", nodes);
}

static enum status copy_row(const struct profile_row *from, struct arena *a, struct op_row *to, struct err *err)
{
    *to = (struct op_row){
        .type = arena_strdup(a, from->type),
        .name = row_name(from, a),
        .backend = from->delegate ? from->delegate->type->name : "cpu",
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

static enum status first_run(struct op_profile *p, const struct profile_row *rows, size_t n, struct err *err)
{
    enum status st = ST_OK;

    if (!(p->rows = ARENA_ARRAY(&p->arena, n, struct op_row)))
        return no_memory(err);
    for (; p->n_rows < n && !st; p->n_rows++)
        st = copy_row(&rows[p->n_rows], &p->arena, &p->rows[p->n_rows], err);
    return st;
}

static enum status add_run(struct op_profile *p, const struct profile_row *rows, size_t n, double *total_us, struct err *err)
{
    enum status st;

    if (!p->runs && (st = first_run(p, rows, n, err)))
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

enum status op_profile_collect(struct session *s, bool (*stop)(void), struct op_profile *out, struct err *err)
{
    uint64_t start = clock_ns();
    enum status st = ST_OK;

    *out = (struct op_profile){0};
    while (!st && out->runs < OP_PROFILE_MAX_RUNS && !(stop && stop())) {
        const struct profile_row *rows;
        size_t n;

        if (!(st = session_profile(s, &rows, &n, err)))
            st = add_run(out, rows, n, &out->total_us[out->runs], err);
        if (st == ST_LATER)
            break;
        if ((double)(clock_ns() - start) / 1e9 > PROFILE_MAX_SECS)
            break;
    }
    return st && st != ST_LATER ? st : stats_of(out->total_us, out->runs, &out->total, err);
}

enum status op_profile_add(struct op_profile *p, const char *name, double us, struct err *err)
{
    struct op_row *rows = ARENA_ARRAY(&p->arena, p->n_rows + 1, struct op_row);

    if (!rows)
        return no_memory(err);
    if (p->n_rows)
        memcpy(rows, p->rows, p->n_rows * sizeof *rows);
    rows[p->n_rows++] = (struct op_row){name, name, "cpu", NULL, 0, -1, true, us, us};
    p->rows = rows;
    p->runs = 1;
    p->total_us[0] += us;
    return stats_of(p->total_us, 1, &p->total, err);
}

static int by_time(const void *a, const void *b)
{
    const struct op_line *x = a, *y = b;

    return (x->avg_us < y->avg_us) - (x->avg_us > y->avg_us);
}

/* Percentages of the time of all rows, down the list as it is ordered. */
static void add_up(const struct op_profile *p, struct op_line *lines, size_t n)
{
    double all = p->total.avg > 0 ? p->total.avg : 1, so_far = 0;

    for (size_t i = 0; i < n; i++) {
        lines[i].percent = 100 * lines[i].avg_us / all;
        lines[i].cumulative_percent = so_far += lines[i].percent;
    }
}

enum status op_profile_rows(const struct op_profile *p, enum op_order order, struct arena *a, struct op_line **out, struct err *err)
{
    struct op_line *lines = *out = ARENA_ARRAY(a, p->n_rows, struct op_line);

    if (!lines)
        return no_memory(err);
    for (size_t i = 0; i < p->n_rows; i++)
        lines[i] = (struct op_line){
            .type = p->rows[i].type, .row = &p->rows[i], .n_rows = 1, .avg_us = p->rows[i].sum_us / p->runs};
    if (order == OP_ORDER_TIME)
        qsort(lines, p->n_rows, sizeof *lines, by_time);
    add_up(p, lines, p->n_rows);
    return ST_OK;
}

enum status op_profile_types(const struct op_profile *p, struct arena *a, struct op_line **out, size_t *n, struct err *err)
{
    struct op_line *lines = *out = ARENA_ARRAY(a, p->n_rows, struct op_line);

    *n = 0;
    if (!lines)
        return no_memory(err);
    for (size_t i = 0; i < p->n_rows; i++) {
        size_t k = 0;

        while (k < *n && strcmp(lines[k].type, p->rows[i].type) != 0)
            k++;
        *n += k == *n;
        lines[k].type = p->rows[i].type;
        lines[k].avg_us += p->rows[i].sum_us / p->runs;
        lines[k].n_rows++;
    }
    qsort(lines, *n, sizeof *lines, by_time);
    add_up(p, lines, *n);
    return ST_OK;
}
