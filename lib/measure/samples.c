/* SPDX-License-Identifier: Apache-2.0 */
/* samples.c - a list that doubles, so that measured code seldom meets an allocation. */
#include "lib/measure/samples.h"

#include <math.h>
#include <stdlib.h>

void samples_free(struct samples *s)
{
    free(s->us);
    free(s->begin_us);
    *s = (struct samples){0};
}

static bool grow(double **list, size_t capacity)
{
    double *larger = realloc(*list, capacity * sizeof *larger);

    *list = larger ? larger : *list;
    return larger != NULL;
}

enum status samples_reserve(struct samples *s, struct err *err)
{
    size_t capacity = s->capacity ? s->capacity * 2 : 1024;

    if (s->n < s->capacity)
        return ST_OK;
    if (!grow(&s->us, capacity) || (s->begins && !grow(&s->begin_us, capacity)))
        return err_set(err, ST_NOMEM, "out of memory for the times of %zu runs", capacity);
    s->capacity = capacity;
    return ST_OK;
}

void samples_put(struct samples *s, double begin_us, double us)
{
    if (s->begins)
        s->begin_us[s->n] = begin_us;
    s->us[s->n++] = us;
}

enum status samples_add(struct samples *s, double us, struct err *err)
{
    enum status st = samples_reserve(s, err);

    if (!st)
        samples_put(s, NAN, us);
    return st;
}

void left_out_free(struct left_out *l)
{
    free(l->runs);
    *l = (struct left_out){0};
}

enum status left_out_add(struct left_out *l, const struct left_out_run *run, struct err *err)
{
    const size_t capacity = l->capacity ? l->capacity * 2 : 64;
    struct left_out_run *runs;

    if (l->n == l->capacity) {
        if (!(runs = realloc(l->runs, capacity * sizeof *runs)))
            return err_set(err, ST_NOMEM, "out of memory for %zu runs that do not count", capacity);
        l->runs = runs;
        l->capacity = capacity;
    }
    l->runs[l->n++] = *run;
    return ST_OK;
}
