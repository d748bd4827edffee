/* SPDX-License-Identifier: Apache-2.0 */
/* text_file.h - a text file that is built in memory and written completely or not at all.
 *
 *   st = text_file_begin(&f, &err);
 *   fprintf(f.to, …);
 *   st = text_file_end(&f, path, &err);
 *
 * Failed allocations are remembered until text_file_end, so callers need not check each step. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/err.h"

struct text_file {
    FILE *to;
    char *text; /* [bytes + 1] with a zero at its end, after text_file_close */
    size_t bytes;
    size_t room; /* internal */
    bool failed; /* internal: memory was short */
};

/* Open f->to; `f` stays where it is. Fails with ST_NOMEM. */
enum status text_file_begin(struct text_file *f, struct err *err);

/* Close f->to and leave the caller f->text, to be freed. Fails with ST_NOMEM if anything of it was lost; f->text is NULL then. */
enum status text_file_close(struct text_file *f, struct err *err);

/* Write the text to `path` as file_write does, or to standard output for "-" (say_finish reports errors there), and free it, after
 * failures too. */
enum status text_file_end(struct text_file *f, const char *path, struct err *err);

/* Free the text without writing it. */
void text_file_drop(struct text_file *f);
