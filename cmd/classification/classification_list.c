/* SPDX-License-Identifier: Apache-2.0 */
/* classification_list.c - the pictures of a folder, and the right class of each. */
#include "cmd/classification/eval_classification.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cmd/host/files.h"
#include "cmd/host/say.h"
#include "cmd/input/image.h"
#include "cmd/tool/labels.h"
#include "lib/eval/json_stream.h"
#include "lib/eval/label_zip.h"

/* Longer lists of labels are refused. */
#define MAX_TEXT_BYTES ((size_t)1 << 28)

enum status classification_lines(struct evaluation *e, const char *flag, const char *path, bool dense, struct label_lines *out,
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

/* Names from the file of the flag, else from the archive behind the model. */
static enum status name_lines(struct evaluation *e, uint32_t n, struct label_lines *out, struct err *err)
{
    const struct model *m = e->tool.model;
    enum status st;
    uint32_t others;

    e->labels_from = *e->flags.labels ? e->flags.labels : NULL;
    if (e->labels_from)
        return classification_lines(e, "model_output_labels", e->flags.labels, false, out, err);
    if ((st = label_zip_find(m->file, m->file_bytes, labels_named(m, e->tool.subgraph, 0, &e->arena), n, &e->arena, out,
                             &e->labels_from, &others, err)))
        return st;
    if (e->labels_from)
        say_info("Labels: %s in the model, of %u lines", e->labels_from, out->n);
    return ST_OK;
}

/* The classes among which answers are chosen, those of one name together. */
static enum status read_valid(struct evaluation *e, struct err *err)
{
    struct label_lines lines;
    bool *among;
    enum status st;

    if (!*e->flags.valid)
        return ST_OK;
    if ((st = classification_lines(e, "valid_labels", e->flags.valid, true, &lines, err)))
        return st;
    if (!(among = ARENA_ARRAY(&e->arena, e->labels.n, bool)))
        return err_set(err, ST_NOMEM, "out of memory for %u classes", e->labels.n);
    for (uint32_t i = 0; i < lines.n; i++) {
        uint32_t class;

        if (!label_find(&e->labels, lines.line[i], &class) &&
            !label_number(&e->labels, lines.line[i], e->flags.label_offset, &class))
            return err_set(err, ST_USAGE, "--valid_labels: '%.60s' is none of the model's %u classes", lines.line[i], e->labels.n);
        among[e->labels.same[class]] = true;
    }
    e->n_among = 0;
    for (uint32_t i = 0; i < e->labels.n; i++) {
        among[i] = among[e->labels.same[i]];
        e->n_among += among[i];
    }
    e->among = among;
    return e->n_among ? ST_OK : err_set(err, ST_USAGE, "--valid_labels: %s has no labels", e->flags.valid);
}

enum status classification_names(struct evaluation *e, struct err *err)
{
    struct label_lines lines = {0};
    enum status st;
    uint32_t n;

    if ((st = topk_classes(session_output(e->sides[0].session, 0), &n, err)) || (st = name_lines(e, n, &lines, err)))
        return st;
    if ((st = label_space_init(&e->labels, n, e->labels_from ? &lines : NULL, *e->flags.labels ? e->flags.model_labels_offset : 0,
                               e->flags.labels, &e->arena, err)))
        return st;
    return read_valid(e, err);
}

/* ---- files ---- */

static bool ends_in(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);

    return n > m && !strcasecmp(name + n - m, end);
}

static bool is_picture(const char *name)
{
    return image_named(name) || ends_in(name, ".rgb8") || ends_in(name, ".npy");
}

/* Names in a growing list of the arena. */
struct names {
    const char **list;
    uint32_t n, capacity;
};

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

/* The entries of dir/folder that are folders, or that are not; names that begin with a point are left out. */
static enum status list_folder(struct evaluation *e, const char *folder, bool folders, struct names *out, struct err *err)
{
    const char *dir = e->pictures.dir;
    char *path = *folder ? arena_printf(&e->arena, "%s/%s", dir, folder) : arena_strdup(&e->arena, dir);
    DIR *d = path ? opendir(path) : NULL;
    const struct dirent *entry;
    enum status st = ST_OK;

    if (!d)
        return err_set(err, ST_IO, "--ground_truth_images_path: %s: the folder cannot be read", path ? path : dir);
    while (!st && (entry = readdir(d))) {
        char *full = *entry->d_name == '.' ? NULL : arena_printf(&e->arena, "%s/%s", path, entry->d_name);
        struct stat s;

        if (full && !stat(full, &s) && S_ISDIR(s.st_mode) == folders)
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
    e->pictures.by_folder = true;
    return st;
}

/* ---- labels ---- */

/* The label behind the picture's name, if the line begins with one of those; NULL: it does not. *length: of the name. */
static const char *label_behind(const char *line, size_t *length)
{
    *length = strcspn(line, "\t, ");
    if (!line[*length])
        return NULL;
    return line + *length + strspn(line + *length, "\t, ");
}

static const char **find_name(const struct names *names, const char *name, size_t length, struct arena *a)
{
    char *key = arena_printf(a, "%.*s", (int)length, name);

    return key && names->n ? bsearch(&(const char *){key}, names->list, names->n, sizeof *names->list, in_order) : NULL;
}

/* A line for each picture that it names. */
static enum status labels_by_name(struct evaluation *e, const struct names *names, const struct label_lines *lines,
                                  const char **labels, struct err *err)
{
    for (uint32_t i = 0; i < lines->n; i++) {
        size_t length;
        const char *label = label_behind(lines->line[i], &length), **at = find_name(names, lines->line[i], length, &e->arena);

        if (!*lines->line[i])
            continue;
        if (!label || !at)
            return err_set(err, ST_USAGE, "--ground_truth_labels: line %u, '%.80s': %s", i + 1, lines->line[i],
                           at ? "no label stands behind the name" : "the folder has no picture of this name");
        if (labels[at - names->list])
            return err_set(err, ST_USAGE, "--ground_truth_labels: line %u: %.80s has a label already", i + 1, *at);
        labels[at - names->list] = label;
    }
    e->pictures.by_name = true;
    return ST_OK;
}

/* A list of lists of numbers: labels "65|970", NULL where a list is empty. */
static enum status real_labels(struct evaluation *e, const struct names *names, const char **labels, struct err *err)
{
    struct json_stream *s;
    enum status st = json_stream_open(e->flags.real, &s, err);
    uint32_t n = 0;

    if (st)
        return err_prefix(err, st, "--real_labels");
    for (bool more = json_stream_list(s); more; more = json_stream_value(s), n++) {
        char *label = NULL;

        for (bool next = json_stream_list(s); next; next = json_stream_value(s)) {
            const long long number = json_stream_integer(s);

            label = label ? arena_printf(&e->arena, "%s|%lld", label, number) : arena_printf(&e->arena, "%lld", number);
            if (!label)
                json_stream_no_memory(s, n, "labels");
        }
        if (n < names->n)
            labels[n] = label;
    }
    if ((st = json_stream_close(s, err)))
        return err_prefix(err, st, "--real_labels");
    if (n != names->n)
        return err_set(err, ST_USAGE, "--real_labels: %s has labels of %u pictures, where the folder %s has %u", e->flags.real, n,
                       e->pictures.dir, names->n);
    return ST_OK;
}

static enum status find_labels(struct evaluation *e, const struct names *names, const char **labels, struct err *err)
{
    struct label_lines lines;
    enum status st;
    size_t length;

    if (e->pictures.by_folder) {
        for (uint32_t i = 0; i < names->n; i++)
            if (!(labels[i] = arena_printf(&e->arena, "%.*s", (int)strcspn(names->list[i], "/"), names->list[i])))
                return err_set(err, ST_NOMEM, "out of memory for %u labels", names->n);
        return ST_OK;
    }
    if (*e->flags.real)
        return real_labels(e, names, labels, err);
    if ((st = classification_lines(e, "ground_truth_labels", e->flags.truth, false, &lines, err)))
        return st;
    if (lines.n && label_behind(lines.line[0], &length) && find_name(names, lines.line[0], length, &e->arena))
        return labels_by_name(e, names, &lines, labels, err);
    if (lines.n != names->n)
        return err_set(err, ST_USAGE, "--ground_truth_labels: %s has %u labels, where the folder %s has %u pictures%s%.100s",
                       e->flags.truth, lines.n, e->pictures.dir, names->n,
                       e->pictures.others ? " beside other files, such as " : "", e->pictures.others ? e->pictures.other[0] : "");
    memcpy(labels, lines.line, names->n * sizeof *labels);
    return ST_OK;
}

/* Whether the ground truth has names or numbers. */
static enum label_format label_format_of(const struct evaluation *e, const char *first)
{
    uint32_t class;

    if (*e->flags.real)
        return LABELS_INDEX;
    if (e->flags.label_format != LABELS_AUTO)
        return e->flags.label_format;
    return label_find(&e->labels, first, &class) || !label_number(&e->labels, first, e->flags.label_offset, &class) ? LABELS_TEXT
                                                                                                                    : LABELS_INDEX;
}

static bool find_class(const struct evaluation *e, const char *label, uint32_t *class)
{
    return e->pictures.format == LABELS_TEXT ? label_find(&e->labels, label, class)
                                             : label_number(&e->labels, label, e->flags.label_offset, class);
}

/* The right classes of a picture; several are "65|970". None if any of them is unknown. */
static enum status find_truths(struct evaluation *e, struct picture *p, struct err *err)
{
    uint32_t most = 1, n = 0, class, *truths;
    char *text = arena_strdup(&e->arena, p->label), *rest = text;

    for (const char *at = p->label; (at = strchr(at, '|')); at++)
        most++;
    if (!text || !(truths = ARENA_ARRAY(&e->arena, most, uint32_t)))
        return err_set(err, ST_NOMEM, "out of memory for the labels of %u pictures", p->number);
    p->truth = NO_CLASS;
    if (find_class(e, text, &class)) {
        truths[n++] = e->labels.same[class];
    } else {
        while (rest) {
            if (!find_class(e, strsep(&rest, "|"), &class))
                return ST_OK;
            truths[n++] = e->labels.same[class];
        }
    }
    p->truth = truths[0];
    p->truths = truths;
    p->n_truths = n;
    return ST_OK;
}

/* ---- pictures ---- */

static enum status deny(struct evaluation *e, const struct names *names, bool *denied, struct err *err)
{
    struct label_lines lines = {0};
    enum status st = ST_OK;

    if (*e->flags.denylist)
        st = classification_lines(e, "denylist_file_path", e->flags.denylist, true, &lines, err);
    for (uint32_t i = 0; i < lines.n && !st; i++) {
        const char *line = lines.line[i], **at = find_name(names, line, strlen(line), &e->arena);
        int64_t number = at ? at - names->list + 1 : 0;

        if (!at && !flag_read_int(line, 1, names->n, &number))
            return err_set(err, ST_USAGE, "--denylist_file_path: '%.80s' is no number from 1 to %u and no picture's name", line,
                           names->n);
        e->pictures.denied += !denied[number - 1];
        denied[number - 1] = true;
    }
    return st;
}

static enum status fail_unknown(const struct evaluation *e, const struct names *names, const char *const *labels, uint32_t unknown,
                                uint32_t first, struct err *err)
{
    char range[64] = "";

    if (e->pictures.format == LABELS_INDEX)
        snprintf(range, sizeof range, ", with --label_offset=%d", e->flags.label_offset);
    return err_set(err, ST_USAGE,
                   "--ground_truth_labels: %u of %u labels are none of the model's %u classes%s, the first '%.60s' of %.80s "
                   "(--unknown_labels=skip leaves these out)%s",
                   unknown, names->n, e->labels.n, range, labels[first], names->list[first],
                   e->labels.n_named || e->pictures.format == LABELS_INDEX ? "" : "; classes have names by --model_output_labels");
}

/* Those that are neither denied nor beyond --num_images. */
static enum status choose(struct evaluation *e, const struct names *names, const char *const *labels, struct err *err)
{
    struct pictures *p = &e->pictures;
    bool *denied = ARENA_ARRAY(&e->arena, names->n, bool);
    const uint32_t most = e->flags.num_images ? (uint32_t)e->flags.num_images : UINT32_MAX;
    uint32_t first = names->n;
    enum status st;

    p->list = ARENA_ARRAY(&e->arena, names->n, struct picture);
    if (!denied || !p->list)
        return err_set(err, ST_NOMEM, "out of memory for %u pictures", names->n);
    if ((st = deny(e, names, denied, err)))
        return st;
    for (uint32_t i = 0; i < names->n; i++) {
        struct picture one = {.name = names->list[i], .label = labels[i], .number = i + 1};

        p->unlabelled += !denied[i] && !labels[i];
        if (denied[i] || !labels[i])
            continue;
        if ((st = find_truths(e, &one, err)))
            return st;
        if (one.truth == NO_CLASS && !p->unknown++)
            first = i;
        if (one.truth == NO_CLASS && e->flags.unknown_labels != UNKNOWN_IS_WRONG)
            continue;
        if (p->n == most)
            p->left++;
        else
            p->list[p->n++] = one;
    }
    if (p->unknown && e->flags.unknown_labels == UNKNOWN_FAILS)
        return fail_unknown(e, names, labels, p->unknown, first, err);
    if (!p->n)
        return err_set(err, ST_USAGE, "no picture is left of the %u in %s: the denylist has %u, and %u labels are unknown",
                       names->n, p->dir, p->denied, p->unknown);
    return ST_OK;
}

enum status classification_list(struct evaluation *e, struct err *err)
{
    struct pictures *p = &e->pictures;
    struct names files = {0}, names = {0};
    const char **labels;
    enum status st;

    p->dir = e->flags.images;
    if ((st = classification_names(e, err)) ||
        (st = *e->flags.truth || *e->flags.real ? list_folder(e, "", false, &files, err) : list_by_class(e, &files, err)))
        return st;
    for (uint32_t i = 0; i < files.n && !st; i++) {
        if (is_picture(files.list[i]))
            st = add_name(e, &names, "", files.list[i], err);
        else if (p->others++ < MAX_OTHERS)
            p->other[p->n_others++] = files.list[i];
    }
    if (st)
        return st;
    p->files = files.n;
    if (!names.n)
        return err_set(err, ST_USAGE, "--ground_truth_images_path: %s has no pictures; %u of its files have other endings", p->dir,
                       p->others);
    if (!(labels = ARENA_ARRAY(&e->arena, names.n, const char *)))
        return err_set(err, ST_NOMEM, "out of memory for %u labels", names.n);
    if ((st = find_labels(e, &names, labels, err)))
        return st;
    for (uint32_t i = 0; i < names.n; i++)
        if (labels[i]) {
            p->format = label_format_of(e, labels[i]);
            break;
        }
    return choose(e, &names, labels, err);
}
