/* SPDX-License-Identifier: Apache-2.0 */
/* label_zip.c - the file of the archive that has a line for each class. */
#include "lib/eval/label_zip.h"

#include "lib/model/zip.h"

enum { MOST_FILE = 1 << 26 };

/* The archive behind the model; none is as good as a broken one. */
static enum status read_archive(const void *file, size_t bytes, struct arena *a, struct zip *out, struct err *err)
{
    struct file_map f;
    enum status st;

    *out = (struct zip){0};
    if (!file)
        return ST_OK;
    file_map_memory(file, bytes, &f);
    if (!(st = zip_read(&f, 0, bytes, a, out, err)))
        return ST_OK;
    *out = (struct zip){0};
    return st == ST_NOMEM ? st : ST_OK;
}

enum status label_zip_find(const void *file, size_t bytes, const char *named, uint32_t n, struct arena *a, struct label_lines *out,
                           const char **name, uint32_t *others, struct err *err)
{
    struct zip z;
    enum status st = read_archive(file, bytes, a, &z, err);
    const struct zip_entry *only = named && !st ? zip_find(&z, named) : NULL;

    *name = NULL;
    *others = z.n;
    *out = (struct label_lines){0};
    for (uint32_t i = 0; i < z.n && !st && !*name; i++) {
        const struct zip_entry *e = &z.entries[i];
        struct label_lines lines;

        if ((only && e != only) || e->refused || e->bytes > MOST_FILE)
            continue;
        st = label_split((const char *)file + e->at, (size_t)e->bytes, false, "", a, &lines, err);
        if (st || lines.n != n) {
            st = st == ST_NOMEM ? st : ST_OK;
            continue;
        }
        *name = e->name;
        *out = lines;
        --*others;
    }
    return st;
}
