/* SPDX-License-Identifier: Apache-2.0 */
/* segmentation_truth.c - maps of labels from files, and answers as files. */
#include "cmd/segmentation/eval_segmentation.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/files.h"

enum { NO_CLASS_COLOR = 255 };

/* ---- truth ---- */

/* A number in the file, or a color that the palette has. */
static enum status label_at(const struct segmentation *e, const char *path, const struct image *im, size_t i, uint32_t *label,
                            struct err *err)
{
    const uint8_t *p = im->pixels + i * im->channels;

    *label = *p;
    if (im->channels == 1 || label_colors_find(&e->palette, p, label))
        return ST_OK;
    return err_set(err, ST_USAGE, "%s: color %u %u %u at pixel %zu, %zu is none of the %u of --palette", path, p[0], p[1], p[2],
                   i % im->width, i / im->width, e->palette.n);
}

static enum status meaning_at(const struct segmentation *e, const char *path, const struct image *im, size_t i, uint16_t *class,
                              struct err *err)
{
    uint32_t label;
    const enum status st = label_at(e, path, im, i, &label, err);

    if (st)
        return st;
    *class = e->meaning.class[label];
    if (*class != LABEL_UNKNOWN)
        return ST_OK;
    if (*e->flags.class_map)
        return err_set(err, ST_USAGE, "%s: label %u at pixel %zu, %zu has no line in --class_map", path, label, i % im->width,
                       i / im->width);
    return err_set(err, ST_USAGE, "%s: label %u at pixel %zu, %zu is none of %u classes (--class_map, --ignore_label=%d)", path,
                   label, i % im->width, i / im->width, e->labels.n, e->flags.ignore_label);
}

/* Neighbours mostly have the same color. */
static enum status fill(const struct segmentation *e, const char *path, const struct image *im, struct label_map *m,
                        struct err *err)
{
    const size_t n = (size_t)im->width * im->height, c = im->channels;
    enum status st = ST_OK;

    for (size_t i = 0; i < n && !st; i++) {
        if (i && !memcmp(im->pixels + i * c, im->pixels + (i - 1) * c, c))
            m->at[i] = m->at[i - 1];
        else
            st = meaning_at(e, path, im, i, &m->at[i], err);
    }
    return st;
}

static enum status check_image(const struct segmentation *e, const char *path, const struct image *im, struct err *err)
{
    if (!strcmp(im->format, "JPEG"))
        return err_set(err, ST_USAGE, "%s is a JPEG, whose labels are blurred: maps are PNG, BMP, PGM or PPM", path);
    if (im->channels == 2)
        return err_set(err, ST_USAGE, "%s is gray with transparency: maps have indices, gray, or colors", path);
    if (im->channels > 2 && !e->palette.n)
        return err_set(err, ST_USAGE, "%s has colors: --palette=FILE says which labels they are", path);
    if (im->width > PREPROCESS_MAX_SIDE || im->height > PREPROCESS_MAX_SIDE)
        return err_set(err, ST_USAGE, "%s: %u x %u pixels; sides up to %d are taken", path, im->width, im->height,
                       PREPROCESS_MAX_SIDE);
    return ST_OK;
}

enum status segmentation_read_truth(const struct segmentation *e, const char *path, struct label_map **out, struct err *err)
{
    struct image im;
    enum status st;

    *out = NULL;
    if ((st = image_open_numbers(path, &im, err)))
        return st;
    if (!(st = check_image(e, path, &im, err)) && !(*out = label_map_new(im.width, im.height)))
        st = err_set(err, ST_NOMEM, "%s: out of memory for %u x %u pixels", path, im.width, im.height);
    if (!st)
        st = fill(e, path, &im, *out, err);
    image_free(&im);
    return st;
}

/* ---- answers ---- */

void segmentation_colors(const struct segmentation *e, uint8_t rgb[256][3])
{
    for (uint32_t i = 0; i < 256; i++)
        label_color_usual(i, rgb[i]);
    for (uint32_t i = e->palette.n; i-- > 0;)
        if (e->meaning.class[i] < 256)
            memcpy(rgb[e->meaning.class[i]], e->palette.rgb[i], 3);
}

enum status segmentation_png(const struct segmentation *e, const struct label_map *map, struct encoded *out, struct err *err)
{
    const size_t n = (size_t)map->width * map->height;
    struct image im = {.width = map->width, .height = map->height, .channels = 1, .pixels = malloc(n)};
    uint8_t rgb[256][3];
    enum status st;

    *out = (struct encoded){0};
    if (!im.pixels)
        return err_set(err, ST_NOMEM, "out of memory for %u x %u pixels", map->width, map->height);
    segmentation_colors(e, rgb);
    for (size_t i = 0; i < n; i++)
        im.pixels[i] = map->at[i] < NO_CLASS_COLOR ? (uint8_t)map->at[i] : NO_CLASS_COLOR;
    st = image_encode_png(&im, (const uint8_t(*)[3])rgb, 256, out, err);
    free(im.pixels);
    return st;
}

enum status segmentation_save(const struct segmentation *e, const struct picture *p, const struct label_map *map, struct err *err)
{
    const char *dot = strrchr(p->name, '.');
    const int stem = (int)(dot ? dot - p->name : (long)strlen(p->name));
    char path[PATH_MAX];
    struct encoded png;
    enum status st;

    if (!*e->flags.save)
        return ST_OK;
    if (snprintf(path, sizeof path, "%s/%.*s.png", e->flags.save, stem, p->name) >= (int)sizeof path)
        return err_set(err, ST_USAGE, "--save_labels: %.80s: the path is longer than %d bytes", p->name, PATH_MAX);
    if (!(st = segmentation_png(e, map, &png, err)))
        st = file_write(path, &(struct file_piece){png.data, png.bytes}, 1, err);
    free(png.data);
    return st ? err_prefix(err, st, "--save_labels") : ST_OK;
}
