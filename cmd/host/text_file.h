/* SPDX-License-Identifier: Apache-2.0 */
/* text_file.h - a file of text that grows in memory, so that it is written whole or not at all.
 *
 *   st = text_file_begin(&f, &err);
 *   fprintf(f.to, …);
 *   st = text_file_end(&f, path, &err);
 *
 * Failed allocations are remembered until text_file_end, so that callers need not check each step. */
#ifndef DELEGAUGE_CMD_TEXT_FILE_H
#define DELEGAUGE_CMD_TEXT_FILE_H

#include <stdio.h>

#include "lib/base/err.h"

struct text_file {
    FILE *to;
    char *text; /* [bytes], since text_file_end; private before */
    size_t bytes;
};

/* ST_NOMEM. */
enum status text_file_begin(struct text_file *f, struct err *err);

/* Write the file to `path` as file_write does, or for "-" to standard output, for which say_finish tells whether that worked; and
 * free it, after failures too. */
enum status text_file_end(struct text_file *f, const char *path, struct err *err);

/* Free the file unwritten. */
void text_file_drop(struct text_file *f);

#endif
