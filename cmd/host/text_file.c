/* SPDX-License-Identifier: Apache-2.0 */
/* text_file.c - a stream in memory, then one write. */
#define _GNU_SOURCE /* fopencookie, which Android lacks */
#include "cmd/host/text_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/files.h"
#include "cmd/host/say.h"

#ifdef __ANDROID__
static FILE *open_stream(struct text_file *f)
{
    return open_memstream(&f->text, &f->bytes);
}
#else
static ssize_t lengthen(void *arg, const char *data, size_t bytes)
{
    struct text_file *f = arg;
    char *text;

    if (bytes >= SIZE_MAX / 4 - f->bytes)
        f->failed = true;
    if (!f->failed && f->bytes + bytes >= f->room) {
        const size_t room = 2 * (f->bytes + bytes + 1);

        if ((text = realloc(f->text, room))) {
            f->text = text;
            f->room = room;
        } else {
            f->failed = true;
        }
    }
    if (f->failed)
        return 0;
    memcpy(f->text + f->bytes, data, bytes);
    f->bytes += bytes;
    f->text[f->bytes] = '\0';
    return (ssize_t)bytes;
}

/* glibc's open_memstream says nothing of text that is lost for want of memory. */
static FILE *open_stream(struct text_file *f)
{
    FILE *to;

    if (!(f->text = calloc(1, 1)))
        return NULL;
    if (!(to = fopencookie(f, "w", (cookie_io_functions_t){.write = lengthen}))) {
        free(f->text);
        f->text = NULL;
    }
    return to;
}
#endif

enum status text_file_begin(struct text_file *f, struct err *err)
{
    *f = (struct text_file){0};
    f->to = open_stream(f);
    return f->to ? ST_OK : err_set(err, ST_NOMEM, "out of memory for a text");
}

enum status text_file_close(struct text_file *f, struct err *err)
{
    bool failed = ferror(f->to) != 0;

    failed = fclose(f->to) || failed || f->failed || !f->text;
    f->to = NULL;
    if (!failed)
        return ST_OK;
    free(f->text);
    f->text = NULL;
    return err_set(err, ST_NOMEM, "out of memory for a text");
}

enum status text_file_end(struct text_file *f, const char *path, struct err *err)
{
    enum status st = text_file_close(f, err);

    if (st) {
        err_prefix(err, st, "%s", path);
    } else if (strcmp(path, "-") != 0) {
        st = file_write(path, &(struct file_piece){f->text, f->bytes}, 1, err);
    } else {
        fwrite(f->text, 1, f->bytes, stdout);
        say_flush();
    }
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
