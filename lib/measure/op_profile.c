/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile.c - collecting profile rows over several runs, and ordering them. */
#include "lib/measure/op_profile.h"

#include <math.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"

#define PROFILE_MAX_SECS 2.0

/* Fewer have no quartiles. */
#define LEAST_RUNS_TO_SCATTER 4

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the op profile");
}

/* "[a, b]:17": the outputs and the index of the last node; "[a]" for a transfer. */
static char *row_name(const struct profile_row *r, struct arena *a)
{
    const struct node *last = r->n_nodes ? r->nodes[r->n_nodes - 1] : NULL;
    char *text = arena_strdup(a, "[");

    if (!last)
        return r->tensor ? arena_printf(a, "[%s]", r->tensor->name) : arena_strdup(a, "");
    for (uint32_t i = 0; i < last->n_out && text; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", last->out[i] ? last->out[i]->name : "");
    return text ? arena_printf(a, "%s]:%u", text, last->index) : NULL;
}

/* The tensor that a row is about, or NULL. */
static const struct tensor *row_tensor(const struct profile_row *r)
{
    return r->n_nodes ? node_out(r->nodes[r->n_nodes - 1], 0) : r->tensor;
}

static const struct tensor *copy_tensor(const struct tensor *t, struct arena *a)
{
    struct tensor *copy = t ? ARENA_NEW(a, struct tensor) : NULL;

    if (!copy)
        return NULL;
    *copy = (struct tensor){
        .name = arena_strdup(a, t->name), .index = t->index, .type = t->type, .rank = t->rank, .bytes = t->bytes};
    memcpy(copy->dim, t->dim, sizeof copy->dim);
    return copy->name ? copy : NULL;
}

static enum status copy_row(const struct profile_row *from, struct arena *a, struct op_row *to, struct err *err)
{
    const struct tensor *about = row_tensor(from);

    *to = (struct op_row){
        .type = arena_strdup(a, from->type),
        .name = row_name(from, a),
        .detail = from->detail ? arena_strdup(a, from->detail) : NULL,
        .why_copy = from->why_copy ? arena_strdup(a, from->why_copy) : NULL,
        .backend = from->delegate ? from->delegate->type->name : "cpu",
        .nodes = ARENA_ARRAY(a, from->n_nodes, uint32_t),
        .n_nodes = from->n_nodes,
        .partition = from->partition,
        .tensor = copy_tensor(about, a),
        .halves = from->halves,
        .timed = from->timed,
        .first_us = (double)from->ns / 1e3,
    };
    if (!to->type || !to->name || !to->nodes || (from->detail && !to->detail) || (from->why_copy && !to->why_copy) ||
        (about && !to->tensor))
        return no_memory(err);
    for (uint32_t i = 0; i < from->n_nodes; i++)
        to->nodes[i] = from->nodes[i]->index;
    return ST_OK;
}

/* The first of the rows that i belongs to. */
static uint32_t first_of(const struct op_row *rows, uint32_t i)
{
    while (rows[i].work_row != i)
        i = rows[i].work_row;
    return i;
}

/* Rows that compute a node in common belong together. row_of[nodes of the graph]: 1 + the row that had it last. */
static void join_rows(struct op_row *rows, uint32_t n, uint32_t *row_of)
{
    for (uint32_t i = 0; i < n; i++) {
        rows[i].work_row = i;
        for (uint32_t k = 0; k < rows[i].n_nodes; k++) {
            uint32_t *other = &row_of[rows[i].nodes[k]], here = first_of(rows, i),
                     there = *other ? first_of(rows, *other - 1) : here;

            rows[here > there ? here : there].work_row = here < there ? here : there;
            *other = i + 1;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        rows[i].work_row = first_of(rows, i);
}

/* The nodes of all rows that begin at i, each once, into nodes[]. */
static uint32_t nodes_of(const struct op_row *rows, const struct profile_row *from, uint32_t n, uint32_t i, uint32_t *row_of,
                         const struct node **nodes)
{
    uint32_t count = 0;

    for (uint32_t j = i; j < n; j++)
        for (uint32_t k = 0; k < rows[j].n_nodes && rows[j].work_row == i; k++)
            if (row_of[rows[j].nodes[k]]) {
                row_of[rows[j].nodes[k]] = 0;
                nodes[count++] = from[j].nodes[k];
            }
    return count;
}

static enum status count_work(struct op_profile *p, const struct graph *g, const struct profile_row *from, struct err *err)
{
    uint32_t *row_of = calloc(g->n_nodes + 1, sizeof *row_of), n = (uint32_t)p->n_rows;
    const struct node **nodes = calloc(g->n_nodes + 1, sizeof(struct node *));
    enum status st = row_of && nodes ? ST_OK : no_memory(err);

    if (!st)
        join_rows(p->rows, n, row_of);
    for (uint32_t i = 0; i < n && !st; i++) {
        uint32_t count = p->rows[i].work_row == i ? nodes_of(p->rows, from, n, i, row_of, nodes) : 0;

        if (count)
            p->rows[i].work = op_work_of(g, nodes, count);
        else if (!p->rows[i].n_nodes && from[i].tensor)
            p->rows[i].work = op_work_of_copy(from[i].tensor);
        else if (!p->rows[i].n_nodes && from[i].border)
            p->rows[i].work = op_work_of_copy(from[i].border);
    }
    free(row_of);
    free(nodes);
    return st;
}

/* A piece that belongs to no node may be work all the same, but is about no tensor. */
static bool is_transfer(const struct op_row *row)
{
    return !row->n_nodes && row->tensor;
}

double op_profile_work_us(const struct op_profile *p, size_t i)
{
    double us = 0;

    for (size_t j = i; j < p->n_rows; j++)
        us += p->rows[j].work_row == i ? p->rows[j].sum_us / p->runs : 0;
    return us;
}

bool op_row_copies(const struct op_row *row)
{
    return row->why_copy && *row->why_copy;
}

struct op_copies op_profile_copies(const struct op_profile *p)
{
    struct op_copies out = {0};

    for (size_t i = 0; i < p->n_rows; i++) {
        const struct op_row *row = &p->rows[i];

        out.of += row->why_copy && !is_transfer(row);
        out.n += op_row_copies(row);
        out.avg_us += op_row_copies(row) ? row->sum_us / p->runs : 0;
    }
    out.percent = p->total.avg > 0 ? 100 * out.avg_us / p->total.avg : 0;
    return out;
}

/* The row ran on the device whose peak is known. */
static bool is_rated(const struct op_profile *p, size_t i)
{
    return p->rows[i].partition >= 0 && p->peak_of && !strcmp(p->rows[i].backend, p->peak_of);
}

/* Zero of work that nobody knows. */
static double least_us(const struct op_profile *p, size_t i)
{
    const double us = is_rated(p, i) ? op_work_least_us(&p->rows[i].work, &p->peak, p->rows[i].halves) : NAN;

    return isfinite(us) ? us : 0;
}

double op_profile_limit_percent(const struct op_profile *p, size_t i)
{
    const double us = op_profile_work_us(p, i), least = least_us(p, i);

    return least > 0 && us > 0 ? 100 * least / us : NAN;
}

double op_profile_delegate_percent(const struct op_profile *p)
{
    double least = 0, us = 0;

    for (size_t i = 0; i < p->n_rows && p->runs; i++) {
        least += least_us(p, i);
        us += is_rated(p, i) ? p->rows[i].sum_us / p->runs : 0;
    }
    return least > 0 && us > 0 ? 100 * least / us : NAN;
}

/* Of the rows of one type, in percent of each run. */
static struct op_scatter scatter_of(const struct op_profile *p, const char *type)
{
    double share[OP_PROFILE_MAX_RUNS] = {0};

    for (size_t i = 0; i < p->n_rows; i++)
        for (uint32_t r = 0; r < p->runs && !strcmp(p->rows[i].type, type); r++)
            share[r] += p->total_us[r] > 0 ? 100 * p->rows[i].us[r] / p->total_us[r] : 0;
    sort_values(share, p->runs);
    return (struct op_scatter){type, sorted_percentile(share, p->runs, 25), sorted_percentile(share, p->runs, 75)};
}

struct op_scatter op_profile_scatter(const struct op_profile *p)
{
    struct op_scatter most = {0};

    for (size_t i = 0; i < p->n_rows && p->runs >= LEAST_RUNS_TO_SCATTER; i++) {
        bool seen = false;

        for (size_t k = 0; k < i && !seen; k++)
            seen = !strcmp(p->rows[k].type, p->rows[i].type);
        if (!seen) {
            const struct op_scatter s = scatter_of(p, p->rows[i].type);

            most = !most.type || s.high - s.low > most.high - most.low ? s : most;
        }
    }
    return most;
}

static enum status first_run(struct op_profile *p, const struct graph *g, const struct profile_row *rows, size_t n, struct err *err)
{
    enum status st = ST_OK;

    if (!(p->rows = ARENA_ARRAY(&p->arena, n, struct op_row)))
        return no_memory(err);
    for (; p->n_rows < n && !st; p->n_rows++)
        st = copy_row(&rows[p->n_rows], &p->arena, &p->rows[p->n_rows], err);
    return st ? st : count_work(p, g, rows, err);
}

static enum status add_run(struct op_profile *p, const struct session *s, const struct profile_row *rows, size_t n, struct err *err)
{
    const struct delegate_overhead overhead = session_profile_overhead(s);
    double *total_us = &p->total_us[p->runs];
    enum status st;

    if (!p->runs && (st = first_run(p, session_graph(s), rows, n, err)))
        return st;
    if (n != p->n_rows)
        return err_set(err, ST_FAILED, "profile run %u had %zu steps, the first had %zu", p->runs, n, p->n_rows);
    *total_us = 0;
    for (size_t i = 0; i < n; i++) {
        p->rows[i].us[p->runs] = (double)rows[i].ns / 1e3;
        p->rows[i].sum_us += (double)rows[i].ns / 1e3;
        p->rows[i].timed &= rows[i].timed;
        p->rows[i].begin_us[p->runs] = rows[i].begin_ns ? (double)rows[i].begin_ns / 1e3 : NAN;
        p->rows[i].device_clock = rows[i].device_clock;
        *total_us += (double)rows[i].ns / 1e3;
    }
    p->overhead.write_ns += overhead.write_ns;
    p->overhead.wait_ns += overhead.wait_ns;
    p->overhead.read_ns += overhead.read_ns;
    p->runs++;
    return ST_OK;
}

enum status op_profile_collect(struct session *s, bool (*stop)(void), struct op_profile *out, struct err *err)
{
    uint64_t start = clock_ns();
    enum status st = ST_OK;

    *out = (struct op_profile){0};
    while (!st && out->runs < OP_PROFILE_MAX_RUNS && !(stop && stop())) {
        const uint64_t begin = clock_ns();
        const struct profile_row *rows;
        size_t n;

        if (!(st = session_profile(s, &rows, &n, err))) {
            out->begin_us[out->runs] = (double)begin / 1e3;
            out->wall_us[out->runs] = (double)(clock_ns() - begin) / 1e3;
            st = add_run(out, s, rows, n, err);
        }
        if (st == ST_LATER)
            break;
        if ((double)(clock_ns() - start) / 1e9 > PROFILE_MAX_SECS)
            break;
    }
    if ((st && st != ST_LATER) || (st = stats_of(out->total_us, out->runs, &out->total, err)))
        return st;
    return stats_of(out->wall_us, out->runs, &out->wall, err);
}

enum status op_profile_add(struct op_profile *p, const char *type, const char *name, double us, struct err *err)
{
    struct op_row *rows = ARENA_ARRAY(&p->arena, p->n_rows + 1, struct op_row);

    if (!rows)
        return no_memory(err);
    if (p->n_rows)
        memcpy(rows, p->rows, p->n_rows * sizeof *rows);
    rows[p->n_rows] = (struct op_row){.type = type,
                                      .name = name,
                                      .backend = "cpu",
                                      .partition = -1,
                                      .work_row = (uint32_t)p->n_rows,
                                      .timed = true,
                                      .first_us = us,
                                      .sum_us = us,
                                      .us = {us}};
    p->n_rows++;
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
