/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_times.c - a file of numbers. */
#include "lib/delegates/dummy/dummy_times.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/flag.h"

#define MOST_LINES 1000000u
#define MOST_US    1e9

static enum status add(struct dummy_times *t, const char *path, double us, struct err *err)
{
    if (t->n == MOST_LINES)
        return err_set(err, ST_USAGE, "times:%.200s: more than %u lines", path, MOST_LINES);
    if (!(t->n & (t->n - 1))) { /* a power of two, or 0: room for as many again */
        double *us_now = realloc(t->us, (t->n ? 2 * t->n : 1) * sizeof *t->us);

        if (!us_now)
            return err_set(err, ST_NOMEM, "out of memory for %zu times", t->n);
        t->us = us_now;
    }
    t->us[t->n++] = us;
    return ST_OK;
}

static enum status read_lines(FILE *f, const char *path, struct dummy_times *t, struct err *err)
{
    char line[64];
    enum status st = ST_OK;

    while (!st && fgets(line, sizeof line, f)) {
        double us = 0;

        line[strcspn(line, "\r\n")] = '\0';
        if (flag_read_double(line, &us) && us > 0 && us <= MOST_US)
            st = add(t, path, us, err);
        else
            st = err_set(err, ST_USAGE, "times:%.200s: line %zu is no number of microseconds above 0 and up to %g: %.40s", path,
                         t->n + 1, MOST_US, line);
    }
    if (!st && ferror(f))
        st = err_set(err, ST_IO, "times:%.200s: %s", path, strerror(errno));
    return !st && !t->n ? err_set(err, ST_USAGE, "times:%.200s: empty", path) : st;
}

enum status dummy_times_read(const char *path, struct dummy_times *out, struct err *err)
{
    FILE *f = fopen(path, "re");
    enum status st;

    dummy_times_free(out);
    if (!f)
        return err_set(err, ST_IO, "times:%.200s: %s", path, strerror(errno));
    st = read_lines(f, path, out, err);
    fclose(f);
    return st;
}

uint64_t dummy_times_next(struct dummy_times *t)
{
    const double us = t->us[t->next];

    t->next = (t->next + 1) % t->n;
    return (uint64_t)(us * 1e3);
}

void dummy_times_free(struct dummy_times *t)
{
    free(t->us);
    *t = (struct dummy_times){0};
}
