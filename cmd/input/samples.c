/* SPDX-License-Identifier: Apache-2.0 */
/* samples.c - folders of samples by name. */
#include "cmd/input/samples.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/input/input_files.h"

enum { MOST_SAMPLES = 100000 };

static bool has_input(const char *dir)
{
    char path[PATH_MAX];
    struct err ignored;

    return input_file_in_dir(dir, 0, path, &ignored) != ST_OK || !access(path, F_OK);
}

/* Numbers within names by their value. */
static int by_name(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;

    while (*x && *y) {
        if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
            char *end_x, *end_y;
            const unsigned long long m = strtoull(x, &end_x, 10), n = strtoull(y, &end_y, 10);

            if (m != n)
                return m < n ? -1 : 1;
            x = end_x;
            y = end_y;
        } else if (*x != *y) {
            break;
        } else {
            x++;
            y++;
        }
    }
    return (unsigned char)*x - (unsigned char)*y;
}

static enum status add(const char *path, struct arena *a, const char ***list, uint32_t *n, uint32_t *room, struct err *err)
{
    const char **more;

    if (*n == MOST_SAMPLES)
        return err_set(err, ST_USAGE, "--input_dir: there are more than %d folders of samples", MOST_SAMPLES);
    if (*n == *room) {
        *room = *room ? 2 * *room : 64;
        if (!(more = ARENA_ARRAY(a, *room, const char *)))
            return err_set(err, ST_NOMEM, "out of memory for %u samples", *room);
        if (*n)
            memcpy(more, *list, *n * sizeof *more);
        *list = more;
    }
    if (!((*list)[(*n)++] = arena_strdup(a, path)))
        return err_set(err, ST_NOMEM, "out of memory for a path");
    return ST_OK;
}

enum status samples_find(const char *dir, struct arena *a, const char ***out, uint32_t *n, struct err *err)
{
    const struct dirent *entry;
    enum status st = ST_OK;
    uint32_t room = 0;
    DIR *d;

    *out = NULL;
    *n = 0;
    if (!*dir || has_input(dir) || !(d = opendir(dir)))
        return ST_OK;
    while (!st && (entry = readdir(d))) {
        char path[PATH_MAX];

        if (*entry->d_name != '.' && snprintf(path, sizeof path, "%s/%s", dir, entry->d_name) < PATH_MAX && has_input(path))
            st = add(path, a, out, n, &room, err);
    }
    closedir(d);
    if (!st && *n)
        qsort(*out, *n, sizeof **out, by_name);
    return st;
}
