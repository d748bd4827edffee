/* SPDX-License-Identifier: Apache-2.0 */
/* test_capture.h - the text that a function prints, for tests of the printers.
 *
 * It captures file descriptors, not stdio, so that the text of a library is caught as well. One descriptor at a time. */
#pragma once

#include <stdio.h>

#include "lib/testing/test.h"

/* State from capture_begin to capture_end. */
struct capture {
    FILE *to;
    int fd, saved;    /* descriptor 1 or 2, and a copy of its former target */
    char text[16384]; /* captured text, terminated; the rest that does not fit is lost */
};

/* Capture all output to file descriptor `fd` (1 or 2) from now on. Between this and capture_end no assertion may fail. */
void capture_begin(struct capture *c, int fd);

/* Restore the descriptor; return the printed text, in c->text: terminated, at most 16383 bytes, without the rest. Valid as long as
 * *c. */
const char *capture_end(struct capture *c);
