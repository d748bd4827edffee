/* SPDX-License-Identifier: Apache-2.0 */
/* model_source.c - models from files, file descriptors and pipes. */
#include "cmd/host/model_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/aligned.h"
#include "lib/base/flag.h"
#include "lib/model/weights.h"

struct source {
    int64_t fd, offset, write_fd, size; /* offset -1: from a pipe, whatever comes next */
};

/* Three numbers with colons between them, and nothing else. */
static bool read_numbers(const char *text, int64_t lo, int64_t *a, int64_t *b, int64_t *c)
{
    int64_t *const to[] = {a, b, c};
    char part[32];

    for (int i = 0; i < 3; i++) {
        size_t n = strcspn(text, ":");

        if (n >= sizeof part || (text[n] == ':') != (i < 2))
            return false;
        snprintf(part, sizeof part, "%.*s", (int)n, text);
        if (!flag_read_int(part, i == 1 ? lo : 0, i == 0 ? INT32_MAX : INT64_MAX / 4, to[i]))
            return false;
        text += n + 1;
    }
    return true;
}

static enum status read_all(const struct source *s, const char *name, char *to, struct err *err)
{
    for (int64_t got = 0; got < s->size;) {
        size_t left = (size_t)(s->size - got);
        ssize_t n = s->offset < 0 ? read((int)s->fd, to + got, left) : pread((int)s->fd, to + got, left, s->offset + got);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, ST_IO, "%s: %s", name, strerror(errno));
        if (n == 0)
            return err_set(err, ST_IO, "%s: it ends after %lld of %lld bytes", name, (long long)got, (long long)s->size);
        got += n;
    }
    return ST_OK;
}

static enum status open_source(const struct source *s, const char *name, const char *weights, struct model **out, void **data,
                               struct err *err)
{
    const struct weight_places places = {.given = weights};
    enum status st;

    if (!(*data = aligned_new(64, (size_t)s->size + 1)))
        return err_set(err, ST_NOMEM, "%s: no memory for %lld bytes", name, (long long)s->size);
    if ((st = read_all(s, name, *data, err)) || (st = model_parse_with(*data, (size_t)s->size, name, &places, out, err))) {
        free(*data);
        *data = NULL;
    }
    return st;
}

enum status model_source_open(const char *source, const char *weights, struct model **out, void **data, struct err *err)
{
    struct source s = {.offset = -1};

    *out = NULL;
    *data = NULL;
    if (!strncmp(source, "buffer:", 7))
        return err_set(err, ST_USAGE, "%.100s: hardware buffers are Android's; give a file, fd: or pipe:", source);
    if (!strncmp(source, "fd:", 3)) {
        if (!read_numbers(source + 3, 0, &s.fd, &s.offset, &s.size))
            return err_set(err, ST_USAGE, "%.100s: expected fd:FD:OFFSET:SIZE, three whole numbers", source);
        return open_source(&s, source, weights, out, data, err);
    }
    if (!strncmp(source, "pipe:", 5)) {
        if (!read_numbers(source + 5, -1, &s.fd, &s.write_fd, &s.size))
            return err_set(err, ST_USAGE, "%.100s: expected pipe:READ:WRITE:SIZE, three whole numbers", source);
        if (s.write_fd >= 0 && s.write_fd != s.fd)
            close((int)s.write_fd);
        return open_source(&s, source, weights, out, data, err);
    }
    return model_open_with(source, weights, out, err);
}
