/* SPDX-License-Identifier: Apache-2.0 */
/* image_encode.c - the libraries' writers, into memory. */
#include "cmd/input/image_encode.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef WITH_PNG

#include <png.h>

static void write_bytes(png_structp png, png_bytep data, size_t n)
{
    if (fwrite(data, 1, n, png_get_io_ptr(png)) != n)
        png_error(png, "memory");
}

static void flush(png_structp png)
{
    (void)png;
}

/* Whatever goes wrong within memory is memory. */
static void fail(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static bool encode(png_structp png, png_infop info, const struct image *im, const uint8_t (*palette)[3], uint32_t n_colors,
                   FILE *to)
{
    png_color colors[256];

    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_write_fn(png, to, write_bytes, flush);
    png_set_IHDR(png, info, im->width, im->height, 8,
                 n_colors            ? PNG_COLOR_TYPE_PALETTE
                 : im->channels == 1 ? PNG_COLOR_TYPE_GRAY
                                     : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    for (uint32_t i = 0; i < n_colors; i++)
        colors[i] = (png_color){palette[i][0], palette[i][1], palette[i][2]};
    if (n_colors)
        png_set_PLTE(png, info, colors, (int)n_colors);
    png_write_info(png, info);
    for (size_t y = 0; y < im->height; y++)
        png_write_row(png, im->pixels + y * im->width * im->channels);
    png_write_end(png, info);
    return true;
}

enum status image_encode_png(const struct image *im, const uint8_t (*palette)[3], uint32_t n_colors, struct encoded *out,
                             struct err *err)
{
    char *data = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&data, &bytes);
    png_structp png = to ? png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore) : NULL;
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool good = info && encode(png, info, im, palette, n_colors, to);

    png_destroy_write_struct(&png, &info);
    if (to)
        good = !fclose(to) && good;
    *out = (struct encoded){(uint8_t *)data, bytes};
    if (good)
        return ST_OK;
    free(data);
    *out = (struct encoded){0};
    return err_set(err, ST_NOMEM, "out of memory for a PNG of %u x %u pixels", im->width, im->height);
}

#else

enum status image_encode_png(const struct image *im, const uint8_t (*palette)[3], uint32_t n_colors, struct encoded *out,
                             struct err *err)
{
    (void)im, (void)palette, (void)n_colors;
    *out = (struct encoded){0};
    return err_set(err, ST_UNSUPPORTED, "this build writes no PNG: install libpng (Debian: libpng-dev) and run make again");
}

#endif

#ifdef WITH_JPEG

#include <setjmp.h>

#include <jpeglib.h>

/* The first member is what libjpeg hands back. */
struct handler {
    struct jpeg_error_mgr base;
    jmp_buf jump;
};

static void leave(j_common_ptr cinfo)
{
    longjmp(((struct handler *)cinfo->err)->jump, 1);
}

static bool compress(struct jpeg_compress_struct *c, struct handler *h, const struct image *im, int quality, unsigned char **data,
                     unsigned long *bytes)
{
    if (setjmp(h->jump))
        return false;
    jpeg_create_compress(c);
    jpeg_mem_dest(c, data, bytes);
    c->image_width = im->width;
    c->image_height = im->height;
    c->input_components = (int)im->channels;
    c->in_color_space = im->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(c);
    jpeg_set_quality(c, quality, TRUE);
    jpeg_start_compress(c, TRUE);
    while (c->next_scanline < c->image_height) {
        JSAMPROW row = im->pixels + (size_t)c->next_scanline * im->width * im->channels;

        jpeg_write_scanlines(c, &row, 1);
    }
    jpeg_finish_compress(c);
    return true;
}

enum status image_encode_jpeg(const struct image *im, int quality, struct encoded *out, struct err *err)
{
    struct jpeg_compress_struct c = {0};
    struct handler h = {0};
    unsigned char *data = NULL;
    unsigned long bytes = 0;
    bool good;

    c.err = jpeg_std_error(&h.base);
    h.base.error_exit = leave;
    good = compress(&c, &h, im, quality, &data, &bytes);
    jpeg_destroy_compress(&c);
    *out = (struct encoded){data, bytes};
    if (good)
        return ST_OK;
    free(data);
    *out = (struct encoded){0};
    return err_set(err, ST_NOMEM, "out of memory for a JPEG of %u x %u pixels", im->width, im->height);
}

#else

enum status image_encode_jpeg(const struct image *im, int quality, struct encoded *out, struct err *err)
{
    (void)im, (void)quality;
    *out = (struct encoded){0};
    return err_set(err, ST_UNSUPPORTED,
                   "this build writes no JPEG: install libjpeg-turbo (Debian: libjpeg62-turbo-dev) and run make again");
}

#endif
