/* SPDX-License-Identifier: Apache-2.0 */
/* eval_pictures.c - the pictures of a folder by name, and which of them are left out. */
#include "cmd/evaluation/evaluation.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/host/files.h"
#include "cmd/host/say.h"
#include "cmd/input/image.h"
#include "cmd/tool/labels.h"
#include "lib/eval/label_zip.h"

/* Longer lists of labels are refused. */
#define MAX_TEXT_BYTES ((size_t)1 << 28)

enum status eval_lines(struct evaluation *e, const char *flag, const char *path, bool dense, struct label_lines *out,
                       struct err *err)
{
    enum status st;
    size_t bytes;
    void *text;

    if ((st = file_read_all(path, MAX_TEXT_BYTES, &text, &bytes, err)))
        return err_prefix(err, st, "--%s", flag);
    st = label_split(text, bytes, dense, path, &e->arena, out, err);
    free(text);
    return st ? err_prefix(err, st, "--%s", flag) : ST_OK;
}

enum status eval_names(struct evaluation *e, const char *file, uint32_t n, struct label_lines *out, const char **from,
                       struct err *err)
{
    const struct model *m = e->tool.model;
    enum status st;
    uint32_t others;

    *from = *file ? file : NULL;
    if (*from)
        return eval_lines(e, "model_output_labels", file, false, out, err);
    if ((st = label_zip_find(m->file, m->file_bytes, labels_named(m, e->tool.subgraph, 0, &e->arena), n, &e->arena, out, from,
                             &others, err)))
        return st;
    if (*from)
        say_info("Labels: %s in the model, of %u lines", *from, out->n);
    return ST_OK;
}

/* ---- files ---- */

static bool is_picture(const char *name)
{
    return image_named(name) || file_ends_in(name, ".rgb8") || file_ends_in(name, ".npy");
}

static enum status add_name(struct evaluation *e, struct names *names, const char *folder, const char *name, struct err *err)
{
    char *copy = *folder ? arena_printf(&e->arena, "%s/%s", folder, name) : arena_strdup(&e->arena, name);

    if (copy && names->n == names->capacity) {
        const char **list = ARENA_ARRAY(&e->arena, 2 * (size_t)names->capacity + 64, const char *);

        if (!list)
            return err_set(err, ST_NOMEM, "out of memory for the names of %u pictures", names->n);
        if (names->n)
            memcpy(list, names->list, names->n * sizeof *list);
        names->list = list;
        names->capacity = 2 * names->capacity + 64;
    }
    if (!copy)
        return err_set(err, ST_NOMEM, "out of memory for the names of %u pictures", names->n);
    names->list[names->n++] = copy;
    return ST_OK;
}

/* By bytes, as TFLite sorts them. */
static int in_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The entries of dir/folder that are folders, or that are not (so are links to nothing); names that begin with a point are left
 * out. */
static enum status list_folder(struct evaluation *e, const char *folder, bool folders, struct names *out, struct err *err)
{
    const char *dir = e->pictures.dir;
    char *path = *folder ? arena_printf(&e->arena, "%s/%s", dir, folder) : arena_strdup(&e->arena, dir);
    DIR *d = path ? opendir(path) : NULL;
    const struct dirent *entry;
    enum status st = ST_OK;

    if (!d && (!path || errno == ENOMEM))
        return err_set(err, ST_NOMEM, "--ground_truth_images_path: %s: out of memory for its names", dir);
    if (!d)
        return err_set(err, ST_IO, "--ground_truth_images_path: %s: the folder cannot be read", path);
    while (!st && (entry = readdir(d))) {
        struct stat s;
        const bool is_folder = !fstatat(dirfd(d), entry->d_name, &s, 0) && S_ISDIR(s.st_mode);

        if (*entry->d_name != '.' && is_folder == folders)
            st = add_name(e, out, folder, entry->d_name, err);
    }
    closedir(d);
    if (out->n)
        qsort(out->list, out->n, sizeof *out->list, in_order);
    return st;
}

/* All files of the folder's folders: class/name. */
static enum status list_by_class(struct evaluation *e, struct names *out, struct err *err)
{
    struct names folders = {0};
    enum status st = list_folder(e, "", true, &folders, err);

    for (uint32_t i = 0; i < folders.n && !st; i++)
        st = list_folder(e, folders.list[i], false, out, err);
    if (out->n)
        qsort(out->list, out->n, sizeof *out->list, in_order);
    if (!st && !out->n)
        return err_set(err, ST_USAGE, "--ground_truth_labels=FILE is needed: %s has no folders whose names are the labels",
                       e->pictures.dir);
    return st;
}

enum status eval_list(struct evaluation *e, bool of_folders, struct names *out, struct err *err)
{
    struct pictures *p = &e->pictures;
    struct names files = {0};
    enum status st;

    p->dir = e->flags.images;
    if ((st = of_folders ? list_by_class(e, &files, err) : list_folder(e, "", false, &files, err)))
        return st;
    for (uint32_t i = 0; i < files.n && !st; i++) {
        if (is_picture(files.list[i]))
            st = add_name(e, out, "", files.list[i], err);
        else if (p->others++ < MAX_OTHERS)
            p->other[p->n_others++] = files.list[i];
    }
    if (st)
        return st;
    p->files = files.n;
    if (!out->n)
        return err_set(err, ST_USAGE, "--ground_truth_images_path: %s has no pictures; %u of its files have other endings", p->dir,
                       p->others);
    return ST_OK;
}

const char **eval_find_name(const struct names *names, const char *name, size_t length, struct arena *a)
{
    char *key = arena_printf(a, "%.*s", (int)length, name);

    return key && names->n ? bsearch(&(const char *){key}, names->list, names->n, sizeof *names->list, in_order) : NULL;
}

enum status eval_deny(struct evaluation *e, const struct names *names, bool **denied, struct err *err)
{
    struct label_lines lines = {0};
    enum status st = ST_OK;

    if (!(*denied = ARENA_ARRAY(&e->arena, names->n, bool)))
        return err_set(err, ST_NOMEM, "out of memory for %u pictures", names->n);
    if (*e->flags.denylist)
        st = eval_lines(e, "denylist_file_path", e->flags.denylist, true, &lines, err);
    for (uint32_t i = 0; i < lines.n && !st; i++) {
        const char *line = lines.line[i], **at = eval_find_name(names, line, strlen(line), &e->arena);
        int64_t number = at ? at - names->list + 1 : 0;

        if (!at && !flag_read_int(line, 1, names->n, &number))
            return err_set(err, ST_USAGE, "--denylist_file_path: '%.80s' is no number from 1 to %u and no picture's name", line,
                           names->n);
        e->pictures.denied += !(*denied)[number - 1];
        (*denied)[number - 1] = true;
    }
    return st;
}

/* ---- what is said of them ---- */

void eval_say_left(uint32_t n, const char *what, char left[EVAL_LEFT_SIZE])
{
    const size_t used = strlen(left);

    if (n)
        snprintf(left + used, EVAL_LEFT_SIZE - used, "%s %u %s", used ? "," : "; left out:", n, what);
}

void eval_say_preprocessing(const struct evaluation *e)
{
    char text[PREPROCESS_TEXT_SIZE];

    say_info("Preprocessing (%s): %s", e->flags.preprocess,
             preprocess_text(&e->preprocess, session_input(e->sides[0].session, 0), text));
}

void eval_say_pictures(const struct evaluation *e, char left[EVAL_LEFT_SIZE])
{
    const struct pictures *p = &e->pictures;
    char files[SAY_COUNT_SIZE];

    eval_say_left(p->denied, "on the denylist", left);
    eval_say_left(p->left, "beyond --num_images", left);
    eval_say_left(p->sharded, "of other shards", left);
    eval_say_left(p->others, "with another ending", left);
    say_info("Pictures: %u of %s in %s%s", p->n, say_count(p->files, "file", files), p->dir, left);
    for (uint32_t i = 0; i < p->n_others; i++)
        say_warn("no picture by its name: %s", p->other[i]);
    if (p->others > p->n_others)
        say_warn("and %u more such files", p->others - p->n_others);
}
