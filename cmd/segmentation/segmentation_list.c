/* SPDX-License-Identifier: Apache-2.0 */
/* segmentation_list.c - the pictures that have a map, and what classes and labels are. */
#include "cmd/segmentation/eval_segmentation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_CLASSES = 256 };

/* ---- classes ---- */

/* Names of the palette, as many as there are classes. */
static enum status palette_lines(struct segmentation *e, uint32_t n, struct label_lines *out, struct err *err)
{
    const char **line = ARENA_ARRAY(&e->base.arena, n, const char *);

    if (!line)
        return err_set(err, ST_NOMEM, "out of memory for %u classes", n);
    for (uint32_t i = 0; i < n; i++)
        line[i] = i < e->palette.n ? e->palette.name[i] : "";
    *out = (struct label_lines){line, n};
    return ST_OK;
}

static enum status read_palette(struct segmentation *e, struct err *err)
{
    struct label_lines lines;
    enum status st;

    if (!*e->flags.palette)
        return ST_OK;
    if ((st = eval_lines(&e->base, "palette", e->flags.palette, true, &lines, err)) ||
        (st = label_colors_read(&lines, e->flags.palette, &e->base.arena, &e->palette, err)))
        return err_prefix(err, st, "--palette");
    return lines.n ? ST_OK : err_set(err, ST_USAGE, "--palette: %s has no colors", e->flags.palette);
}

/* How many classes there are: the output says so, or the flag, or the names. */
static uint32_t number_of_classes(const struct segmentation *e, uint32_t names)
{
    if (e->place.classes)
        return e->place.classes;
    if (e->flags.num_classes)
        return (uint32_t)e->flags.num_classes;
    return names && names <= LABEL_MAX_CLASSES ? names : USUAL_CLASSES;
}

static enum status name_classes(struct segmentation *e, struct err *err)
{
    const uint32_t said = number_of_classes(e, 0);
    const bool by_palette = e->palette.n && !*e->flags.class_map; /* the labels are the classes */
    const int32_t offset = *e->flags.labels ? e->flags.model_labels_offset : 0;
    struct label_lines lines = {0};
    enum status st = eval_names(&e->base, e->flags.labels, said, &lines, &e->labels_from, err);

    if (st)
        return st;
    e->rule.n_classes = number_of_classes(e, e->labels_from ? lines.n : by_palette ? e->palette.n : 0);
    if (!e->labels_from && by_palette) {
        if ((st = palette_lines(e, e->rule.n_classes, &lines, err)))
            return st;
        e->labels_from = e->flags.palette;
    }
    return label_space_init(&e->labels, e->rule.n_classes, e->labels_from ? &lines : NULL, offset, e->flags.labels, &e->base.arena,
                            err);
}

static enum status read_meaning(struct segmentation *e, struct err *err)
{
    struct label_lines lines;
    enum status st;

    label_meaning_init(&e->meaning, e->labels.n, e->flags.ignore_label);
    if (!*e->flags.class_map)
        return ST_OK;
    if ((st = eval_lines(&e->base, "class_map", e->flags.class_map, true, &lines, err)))
        return st;
    if ((st = label_meaning_read(&e->meaning, &lines, e->labels.n, e->flags.class_map, err)))
        return err_prefix(err, st, "--class_map");
    return ST_OK;
}

/* ---- pictures ---- */

/* The map of a picture's name, with one of the endings; NULL: there is none. */
static enum status find_truth(struct segmentation *e, const char *name, const char **out, struct err *err)
{
    static const char *const endings[] = {".png", ".PNG", ".bmp", ".pgm", ".ppm"};
    const char *dot = strrchr(name, '.');
    const int stem = (int)(dot ? dot - name : (long)strlen(name));

    *out = NULL;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !*out; i++) {
        char *path = arena_printf(&e->base.arena, "%s/%.*s%s%s", e->flags.truth, stem, name, e->flags.suffix, endings[i]);

        if (!path)
            return err_set(err, ST_NOMEM, "out of memory for the names of maps");
        if (!access(path, F_OK))
            *out = path;
    }
    return ST_OK;
}

static int by_truth(const void *a, const void *b)
{
    return strcmp((*(const struct segmented *const *)a)->truth, (*(const struct segmented *const *)b)->truth);
}

/* A picture beside its map in one folder would have that map, too. */
static enum status check_truths(struct segmentation *e, struct err *err)
{
    const struct pictures *p = &e->base.pictures;
    const struct segmented **sorted = ARENA_ARRAY(&e->base.arena, p->n, const struct segmented *);

    if (!sorted)
        return err_set(err, ST_NOMEM, "out of memory for %u pictures", p->n);
    for (uint32_t i = 0; i < p->n; i++)
        sorted[i] = segmented_of(e, &p->list[i]);
    qsort(sorted, p->n, sizeof *sorted, by_truth);
    for (uint32_t i = 1; i < p->n; i++)
        if (!by_truth(&sorted[i - 1], &sorted[i]))
            return err_set(err, ST_USAGE,
                           "--ground_truth_labels_path: two pictures have the map %.200s: their names differ in the ending",
                           sorted[i]->truth);
    return ST_OK;
}

static enum status choose(struct segmentation *e, const struct names *names, struct err *err)
{
    struct pictures *p = &e->base.pictures;
    const uint32_t most = e->base.flags.num_images ? (uint32_t)e->base.flags.num_images : UINT32_MAX;
    bool *denied;
    enum status st;

    p->list = ARENA_ARRAY(&e->base.arena, names->n, struct picture);
    e->segmented = ARENA_ARRAY(&e->base.arena, names->n, struct segmented);
    if (!p->list || !e->segmented)
        return err_set(err, ST_NOMEM, "out of memory for %u pictures", names->n);
    if ((st = eval_deny(&e->base, names, &denied, err)))
        return st;
    for (uint32_t i = 0; i < names->n; i++) {
        if (denied[i])
            continue;
        if ((st = find_truth(e, names->list[i], &e->segmented[i].truth, err)))
            return st;
        if (!e->segmented[i].truth)
            e->without_map++;
        else if (p->n == most)
            p->left++;
        else
            p->list[p->n++] = (struct picture){.name = names->list[i], .number = i + 1};
    }
    if (!p->n)
        return err_set(err, ST_USAGE, "no picture is left of the %u in %s: the denylist has %u, and %u have no map in %s", names->n,
                       p->dir, p->denied, e->without_map, e->flags.truth);
    return check_truths(e, err);
}

enum status segmentation_list(struct segmentation *e, struct err *err)
{
    struct names names = {0};
    enum status st;

    if ((st = read_palette(e, err)) || (st = name_classes(e, err)) || (st = read_meaning(e, err)))
        return st;
    for (uint32_t i = 0; i < MAX_SIDES; i++)
        if ((st = pixel_counts_init(&e->counts[i], e->labels.n, &e->base.arena, err)) ||
            (st = pixel_counts_init(&e->last[i], e->labels.n, &e->base.arena, err)))
            return st;
    return (st = eval_list(&e->base, false, &names, err)) ? st : choose(e, &names, err);
}
