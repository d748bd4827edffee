/* SPDX-License-Identifier: Apache-2.0 */
/* image_png.c - PNG by libpng: every kind of pixel brought to 8 bits a channel. */
#include "cmd/input/image.h"

#ifdef WITH_PNG

#include <png.h>
#include <stdlib.h>
#include <string.h>

/* What the callbacks need; lives on the caller's stack, so that longjmp loses nothing of it. */
struct source {
    const uint8_t *file;
    size_t bytes, at;
    const char *what;
    struct err *err;
    png_bytep *rows;
};

static void read_bytes(png_structp png, png_bytep out, size_t n)
{
    struct source *s = png_get_io_ptr(png);

    if (n > s->bytes - s->at)
        png_error(png, "the file ends before the image does");
    memcpy(out, s->file + s->at, n);
    s->at += n;
}

static void fail(png_structp png, png_const_charp message)
{
    struct source *s = png_get_error_ptr(png);

    err_set(s->err, ST_USAGE, "%s: %.200s", s->what, message);
    png_longjmp(png, 1);
}

/* About chunks that are not used, all of them. */
static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void set_limits(png_structp png)
{
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* image_alloc looks at the product */
    png_set_chunk_malloc_max(png, 1 << 20);
    png_set_chunk_cache_max(png, 64);
}

/* Sets channels, and makes libpng give 8 bits of each. */
static void choose_pixels(png_structp png, png_infop info, struct image *out)
{
    if (out->numbers && png_get_bit_depth(png, info) == 16)
        png_error(png, "16 bits a number, where labels have 8");
    if (out->numbers)
        png_set_packing(png);
    else
        png_set_expand(png); /* palettes, fewer than 8 bits, a transparent colour */
    png_set_scale_16(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    out->channels = png_get_channels(png, info);
}

/* Of a palette whose indices are wanted: libpng looks at them only for its own colours. */
static enum status check_indices(png_structp png, png_infop info, const struct source *s, const struct image *im)
{
    png_colorp colors;
    int n = 0;

    if (!im->numbers || png_get_color_type(png, info) != PNG_COLOR_TYPE_PALETTE)
        return ST_OK;
    png_get_PLTE(png, info, &colors, &n);
    for (size_t i = 0; i < (size_t)im->width * im->height; i++)
        if (im->pixels[i] >= n)
            return err_set(s->err, ST_USAGE, "%s: color %u of a palette of %d", s->what, im->pixels[i], n);
    return ST_OK;
}

static enum status decode(png_structp png, png_infop info, struct source *s, struct image *out)
{
    enum status st;

    if (setjmp(png_jmpbuf(png)))
        return ST_USAGE;
    png_set_read_fn(png, s, read_bytes);
    set_limits(png);
    png_read_info(png, info);
    out->width = png_get_image_width(png, info);
    out->height = png_get_image_height(png, info);
    choose_pixels(png, info, out);
    if ((st = image_alloc(out, s->what, s->err)))
        return st;
    if (!(s->rows = malloc(out->height * sizeof *s->rows)))
        return err_set(s->err, ST_NOMEM, "%s: out of memory for %u rows", s->what, out->height);
    for (size_t y = 0; y < out->height; y++)
        s->rows[y] = out->pixels + y * out->width * out->channels;
    png_read_image(png, s->rows);
    png_read_end(png, NULL);
    return check_indices(png, info, s, out);
}

enum status image_read_png(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err)
{
    struct source s = {.file = file, .bytes = bytes, .what = what, .err = err};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &s, fail, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    enum status st;

    out->format = "PNG";
    st = info ? decode(png, info, &s, out) : err_set(err, ST_NOMEM, "%s: out of memory", what);
    png_destroy_read_struct(&png, &info, NULL);
    free(s.rows);
    return st;
}

#else

enum status image_read_png(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err)
{
    (void)file, (void)bytes, (void)out;
    return err_set(err, ST_UNSUPPORTED,
                   "%s is a PNG image, and this build reads none: install libpng (Debian: libpng-dev) and run make again, or "
                   "convert it to BMP or PPM",
                   what);
}

#endif
