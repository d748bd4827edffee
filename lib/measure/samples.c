/* SPDX-License-Identifier: Apache-2.0 */
/* samples.c - a list that doubles, so that measured code seldom meets an allocation. */
#include "lib/measure/samples.h"

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
