/* SPDX-License-Identifier: Apache-2.0 */
/* auto_fp32.c - the search: doubling, halving, then removing nodes one by one. */
#include "lib/compare/auto_fp32.h"
#include "lib/base/err.h"

#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Asks about list[n] less list[from .. to - 1]. What passes is kept. ST_LATER: no more runs. */
static enum status ask(struct auto_fp32 *a, const uint32_t *list, uint32_t n, uint32_t from, uint32_t to, bool *pass,
                       struct err *err)
{
    const uint32_t left = n - (to - from);
    uint32_t *set;
    enum status st;

    if (a->runs >= a->max_runs || (a->stopped && a->stopped(a->arg)))
        return ST_LATER;
    if (!(set = ARENA_ARRAY(&a->arena, left ? left : 1, uint32_t)))
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", left);
    memcpy(set, list, from * sizeof *set);
    memcpy(set + from, list + to, (n - to) * sizeof *set);
    qsort(set, left, sizeof *set, ascending);
    a->runs++;
    if ((st = a->passes(a->arg, set, left, pass, err)))
        return st;
    if (*pass) {
        a->nodes = set;
        a->n = left;
    }
    return ST_OK;
}

/* The shortest beginning of the candidates that passes: *n of them. All of them do. */
static enum status shortest(struct auto_fp32 *a, uint32_t *n, struct err *err)
{
    uint32_t fails = 0, passes = a->n_candidates, at = 1;
    enum status st = ST_OK;

    *n = passes;
    while (!st && fails + 1 < passes) {
        bool pass = false;

        if (at <= fails || at >= passes)
            at = fails + (passes - fails) / 2;
        if ((st = ask(a, a->candidates, at, at, at, &pass, err)))
            break;
        if (pass)
            *n = passes = at;
        else
            fails = at;
        at = passes == a->n_candidates ? 2 * at : 0;
    }
    return st;
}

/* Leaves out pieces of list[*n], as long as it passes without them. */
static enum status reduce(struct auto_fp32 *a, uint32_t *list, uint32_t *n, struct err *err)
{
    uint32_t piece = *n / 2;
    bool dropped = false;
    enum status st = ST_OK;

    while (!st && *n > 1 && piece) {
        uint32_t i = *n > piece ? *n - piece : 0; /* the least likely first */

        dropped = false;
        while (!st) {
            const uint32_t to = i + piece < *n ? i + piece : *n;
            bool pass = false;

            if (to - i < *n && to > i && !(st = ask(a, list, *n, i, to, &pass, err)) && pass) {
                memmove(list + i, list + to, (*n - to) * sizeof *list);
                *n -= to - i;
                dropped = true;
            }
            if (!i)
                break;
            i = i > piece ? i - piece : 0;
        }
        if (piece > 1)
            piece /= 2;
        else if (!dropped)
            break; /* no single one can be left out */
    }
    return st;
}

static enum status search(struct auto_fp32 *a, struct err *err)
{
    uint32_t *list = ARENA_ARRAY(&a->arena, a->n_candidates + 1, uint32_t), n;
    bool pass = false;
    enum status st;

    if (!list)
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", a->n_candidates);
    if ((st = ask(a, a->candidates, 0, 0, 0, &pass, err)))
        return st;
    a->end = AUTO_FP32_NOT_NEEDED;
    if (pass)
        return ST_OK;
    a->end = AUTO_FP32_STOPPED;
    if ((st = ask(a, a->candidates, a->n_candidates, a->n_candidates, a->n_candidates, &pass, err)))
        return st;
    a->end = pass ? AUTO_FP32_LARGER : AUTO_FP32_NOT_ENOUGH;
    if (!pass || (st = shortest(a, &n, err)))
        return st;
    memcpy(list, a->candidates, n * sizeof *list);
    if (!(st = reduce(a, list, &n, err)))
        a->end = AUTO_FP32_FOUND;
    return st;
}

enum status auto_fp32_search(struct auto_fp32 *a, struct err *err)
{
    enum status st;

    a->end = AUTO_FP32_STOPPED;
    a->nodes = NULL;
    a->n = a->runs = 0;
    st = search(a, err);
    return st == ST_LATER ? ST_OK : st;
}

void auto_fp32_free(struct auto_fp32 *a)
{
    arena_free(&a->arena);
    a->nodes = NULL;
    a->n = 0;
}

const char *auto_fp32_list(struct arena *a, const uint32_t *nodes, uint32_t n)
{
    const char *text = arena_strdup(a, "");

    for (uint32_t i = 0, end; i < n && text; i = end) {
        const char *comma = i ? "," : "";

        for (end = i + 1; end < n && nodes[end] == nodes[end - 1] + 1;)
            end++;
        text = end > i + 1 ? arena_printf(a, "%s%s%u-%u", text, comma, nodes[i], nodes[end - 1])
                           : arena_printf(a, "%s%s%u", text, comma, nodes[i]);
    }
    return text;
}
