/* SPDX-License-Identifier: Apache-2.0 */
/* test_capture.c - what goes to a file descriptor, kept. */
#include "cmd/testing/test_capture.h"

#include <unistd.h>

void capture_begin(struct capture *c, int fd)
{
    fflush(NULL);
    *c = (struct capture){.to = tmpfile(), .fd = fd, .saved = dup(fd)};
    assert_non_null(c->to);
    dup2(fileno(c->to), fd);
}

const char *capture_end(struct capture *c)
{
    size_t n;

    fflush(NULL);
    dup2(c->saved, c->fd);
    close(c->saved);
    rewind(c->to);
    n = fread(c->text, 1, sizeof c->text - 1, c->to);
    c->text[n] = '\0';
    fclose(c->to);
    return c->text;
}
