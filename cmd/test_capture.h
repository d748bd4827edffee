/* SPDX-License-Identifier: Apache-2.0 */
/* test_capture.h - what a function prints, for tests of the printers.
 *
 * Works on file descriptors, not on stdio, so that what a library prints is caught as well. One descriptor at a time. */
#ifndef DELEGAUGE_CMD_TEST_CAPTURE_H
#define DELEGAUGE_CMD_TEST_CAPTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../lib/test.h"

/* From begin to end. */
struct capture {
    FILE *to;
    int fd, saved;    /* 1 or 2, and where it went before */
    char text[16384]; /* terminated; what does not fit is lost */
};

/* From now on what goes to file descriptor `fd` (1 or 2) is kept. Between this and capture_end no assertion may fail. */
static inline void capture_begin(struct capture *c, int fd)
{
    fflush(NULL);
    *c = (struct capture){.to = tmpfile(), .fd = fd, .saved = dup(fd)};
    assert_non_null(c->to);
    dup2(fileno(c->to), fd);
}

/* Puts the descriptor back; returns what was printed, in c->text. */
static inline const char *capture_end(struct capture *c)
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

/* A new folder under /tmp, which the test empties and removes. */
static inline void make_temp_dir(char path[64])
{
    snprintf(path, 64, "/tmp/delegauge_test.XXXXXX");
    assert_non_null(mkdtemp(path));
}

#endif
