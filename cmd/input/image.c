/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - selects the reader for a file, and allocates its pixels. */
#include "cmd/input/image.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/host/files.h"

static const struct {
    const char *magic;
    size_t bytes;
    image_reader read;
} formats[] = {
    {"\x89PNG\r\n\x1a\n", 8, image_read_png},
    {"\xff\xd8\xff", 3, image_read_jpeg},
    {"BM", 2, image_read_bmp},
    {"P5", 2, image_read_pnm},
    {"P6", 2, image_read_pnm},
};

bool image_named(const char *path)
{
    static const char *const endings[] = {".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".pgm", ".pnm"};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcasecmp(dot, endings[i]))
            return true;
    return false;
}

static enum status decode(const void *file, size_t bytes, const char *what, struct image *out, struct err *err)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (bytes >= formats[i].bytes && !memcmp(file, formats[i].magic, formats[i].bytes)) {
            enum status st = formats[i].read(file, bytes, what, out, err);

            if (st)
                image_free(out);
            return st;
        }
    return err_set(err, ST_USAGE, "%s begins as no PNG, JPEG, BMP, PPM (P6) or PGM (P5) file does", what);
}

enum status image_decode(const void *file, size_t bytes, const char *what, struct image *out, struct err *err)
{
    *out = (struct image){0};
    return decode(file, bytes, what, out, err);
}

enum status image_decode_numbers(const void *file, size_t bytes, const char *what, struct image *out, struct err *err)
{
    *out = (struct image){.numbers = true};
    return decode(file, bytes, what, out, err);
}

void image_free(struct image *im)
{
    free(im->pixels);
    *im = (struct image){0};
}

static enum status open_and_decode(const char *path, bool numbers, struct image *out, struct err *err)
{
    enum status st;
    size_t bytes;
    void *file;

    *out = (struct image){0};
    if ((st = file_read_all(path, IMAGE_MAX_FILE_BYTES, &file, &bytes, err)))
        return st;
    st = numbers ? image_decode_numbers(file, bytes, path, out, err) : image_decode(file, bytes, path, out, err);
    free(file);
    return st;
}

enum status image_open(const char *path, struct image *out, struct err *err)
{
    return open_and_decode(path, false, out, err);
}

enum status image_open_numbers(const char *path, struct image *out, struct err *err)
{
    return open_and_decode(path, true, out, err);
}

enum status image_alloc(struct image *im, const char *what, struct err *err)
{
    uint64_t pixels = (uint64_t)im->width * im->height;

    if (!pixels)
        return err_set(err, ST_USAGE, "%s: an image of %u x %u pixels has none", what, im->width, im->height);
    if (pixels > IMAGE_MAX_PIXELS)
        return err_set(err, ST_USAGE, "%s: %u x %u are %llu pixels; images of at most %llu are read", what, im->width, im->height,
                       (unsigned long long)pixels, (unsigned long long)IMAGE_MAX_PIXELS);
    if (!(im->pixels = malloc((size_t)pixels * im->channels)))
        return err_set(err, ST_NOMEM, "%s: out of memory for %u x %u pixels", what, im->width, im->height);
    return ST_OK;
}
