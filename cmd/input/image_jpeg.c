/* SPDX-License-Identifier: Apache-2.0 */
/* image_jpeg.c - JPEG by libjpeg-turbo: gray or RGB, with its default (exact integer) transform. */
#include "cmd/input/image.h"

#ifdef WITH_JPEG

#include <setjmp.h>

#include <jpeglib.h>

#include <jerror.h>

/* A progressive file can ask for the whole image to be decoded again and again; those of cameras have about ten scans. */
#define MAX_SCANS 200

/* The first member is what libjpeg hands back. */
struct handler {
    struct jpeg_error_mgr base;
    jmp_buf jump;
    const char *what;
    struct err *err;
};

static void fail(j_common_ptr cinfo)
{
    struct handler *h = (struct handler *)cinfo->err;
    char message[JMSG_LENGTH_MAX];

    h->base.format_message(cinfo, message);
    err_set(h->err, ST_USAGE, "%s: %.200s", h->what, message);
    longjmp(h->jump, 1);
}

/* Level -1 is broken data, which libjpeg would replace by gray: whoever measures with an image wants that image. */
static void message(j_common_ptr cinfo, int level)
{
    if (level < 0)
        fail(cinfo);
}

static void count_scans(j_common_ptr cinfo)
{
    const struct handler *h = (const struct handler *)cinfo->err;
    int scans = ((j_decompress_ptr)cinfo)->input_scan_number;

    if (scans <= MAX_SCANS)
        return;
    err_set(h->err, ST_USAGE, "%s: more than %d scans, which no camera writes", h->what, MAX_SCANS);
    longjmp(((struct handler *)cinfo->err)->jump, 1);
}

static enum status choose_pixels(struct jpeg_decompress_struct *c, const char *what, struct image *out, struct err *err)
{
    if (c->jpeg_color_space == JCS_CMYK || c->jpeg_color_space == JCS_YCCK)
        return err_set(err, ST_USAGE, "%s is a JPEG in CMYK; gray and RGB ones are read", what);
    out->width = c->image_width;
    out->height = c->image_height;
    out->channels = c->jpeg_color_space == JCS_GRAYSCALE ? 1 : 3;
    c->out_color_space = out->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    return image_alloc(out, what, err);
}

static enum status decode(struct jpeg_decompress_struct *c, struct handler *h, const uint8_t *file, size_t bytes, struct image *out)
{
    struct jpeg_progress_mgr progress = {.progress_monitor = count_scans};
    enum status st;

    if (setjmp(h->jump))
        return ST_USAGE;
    jpeg_create_decompress(c);
    c->progress = &progress;
    jpeg_mem_src(c, file, bytes);
    jpeg_read_header(c, TRUE);
    if ((st = choose_pixels(c, h->what, out, h->err)))
        return st;
    jpeg_start_decompress(c);
    while (c->output_scanline < c->output_height) {
        JSAMPROW row = out->pixels + (size_t)c->output_scanline * out->width * out->channels;

        jpeg_read_scanlines(c, &row, 1);
    }
    jpeg_finish_decompress(c);
    return ST_OK;
}

enum status image_read_jpeg(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err)
{
    struct jpeg_decompress_struct c = {0};
    struct handler h = {.what = what, .err = err};
    enum status st;

    out->format = "JPEG";
    c.err = jpeg_std_error(&h.base);
    h.base.error_exit = fail;
    h.base.emit_message = message;
    st = decode(&c, &h, file, bytes, out);
    jpeg_destroy_decompress(&c);
    return st;
}

#else

enum status image_read_jpeg(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err)
{
    (void)file, (void)bytes, (void)out;
    return err_set(
        err, ST_UNSUPPORTED,
        "%s is a JPEG image, and this build reads none: install libjpeg-turbo (Debian: libjpeg62-turbo-dev) and run make "
        "again, or convert it to BMP or PPM",
        what);
}

#endif
