/* SPDX-License-Identifier: Apache-2.0 */
/* text_file.c - a stream in memory, then one write. */
#include "cmd/host/text_file.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/host/files.h"

enum status text_file_begin(struct text_file *f, struct err *err)
{
    *f = (struct text_file){0};
    f->to = open_memstream(&f->text, &f->bytes);
    return f->to ? ST_OK : err_set(err, ST_NOMEM, "out of memory for a text file");
}

enum status text_file_end(struct text_file *f, const char *path, struct err *err)
{
    const bool failed = ferror(f->to) != 0;
    enum status st = ST_OK;

    if (fclose(f->to) || failed)
        st = err_set(err, ST_NOMEM, "%s: out of memory for its text", path);
    else if (strcmp(path, "-") != 0)
        st = file_write(path, &(struct file_piece){f->text, f->bytes}, 1, err);
    else
        fwrite(f->text, 1, f->bytes, stdout);
    free(f->text);
    *f = (struct text_file){0};
    return st;
}

void text_file_drop(struct text_file *f)
{
    fclose(f->to);
    free(f->text);
    *f = (struct text_file){0};
}
