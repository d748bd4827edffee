/* SPDX-License-Identifier: Apache-2.0 */
/* test_capture.h - what a function prints, for tests of the printers.
 *
 * Works on file descriptors, not on stdio, so that what a library prints is caught as well. One descriptor at a time. */
#ifndef DELEGAUGE_CMD_TEST_CAPTURE_H
#define DELEGAUGE_CMD_TEST_CAPTURE_H

#include <stdio.h>

#include "lib/testing/test.h"

/* From begin to end. */
struct capture {
    FILE *to;
    int fd, saved;    /* 1 or 2, and where it went before */
    char text[16384]; /* terminated; what does not fit is lost */
};

/* From now on what goes to file descriptor `fd` (1 or 2) is kept. Between this and capture_end no assertion may fail. */
void capture_begin(struct capture *c, int fd);

/* Puts the descriptor back; returns what was printed, in c->text: terminated, at most 16383 bytes, without the rest. Valid as long
 * as *c. */
const char *capture_end(struct capture *c);

#endif
