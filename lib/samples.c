/* SPDX-License-Identifier: Apache-2.0 */
/* samples.c - a list that doubles, so that measured code seldom meets an allocation, and its figures. */
#include "samples.h"

#include <math.h>
#include <stdlib.h>

void samples_free(struct samples *s)
{
    free(s->us);
    *s = (struct samples){0};
}

enum status samples_reserve(struct samples *s, struct err *err)
{
    size_t capacity = s->capacity ? s->capacity * 2 : 1024;
    double *us;

    if (s->n < s->capacity)
        return ST_OK;
    if (!(us = realloc(s->us, capacity * sizeof *us)))
        return err_set(err, ST_NOMEM, "out of memory for the times of %zu runs", capacity);
    s->us = us;
    s->capacity = capacity;
    return ST_OK;
}

enum status samples_add(struct samples *s, double us, struct err *err)
{
    enum status st = samples_reserve(s, err);

    if (!st)
        s->us[s->n++] = us;
    return st;
}

enum status samples_figures(const struct samples *s, struct sample_figures *out, struct err *err)
{
    double *whole = malloc((s->n + 1) * sizeof *whole);
    enum status st;

    if (!whole)
        return err_set(err, ST_NOMEM, "out of memory for %zu samples", s->n);
    for (size_t i = 0; i < s->n; i++)
        whole[i] = floor(s->us[i]);
    if (!(st = stats_of(s->us, s->n, &out->exact, err)))
        st = stats_of(whole, s->n, &out->whole, err);
    free(whole);
    return st;
}
