/* SPDX-License-Identifier: Apache-2.0 */
/* image.h - decodes image files to 8-bit pixels.
 *
 * PNG is read by libpng and JPEG by libjpeg-turbo, if the build has them (WITH_PNG, WITH_JPEG; pkg-config finds them); BMP, PPM and
 * PGM by readers of our own. Pixels are the numbers in the file: no gamma, colour profile or EXIF orientation is applied; palettes
 * are looked up; 16 bits become 8 by v * 255 / 65535, rounded. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/* Images with more pixels are refused before memory is allocated: a few bytes of file can claim many. */
#define IMAGE_MAX_PIXELS ((uint64_t)1 << 27)

/* Longer files are refused. */
#define IMAGE_MAX_FILE_BYTES ((size_t)1 << 30)

struct image {
    const char *format; /* "PNG"; static */
    uint32_t width, height;
    uint32_t channels; /* 1: gray, 2: gray and alpha, 3: RGB, 4: RGBA */
    uint8_t *pixels;   /* [height,width,channels], top row first */
    bool numbers;      /* of image_decode_numbers: the numbers in the file, where it has one a pixel */
};

/* Reads one format. *out is zeroed before, but for `numbers`; the caller frees its content after failures too. */
typedef enum status (*image_reader)(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err);

/* Return true if a path ends, in either case, in .png .jpg .jpeg .bmp .ppm .pgm or .pnm. */
bool image_named(const char *path);

/* Decode a file in memory; its first bytes tell the format. Fails with ST_USAGE, the message beginning with `what`, if it is of no
 * known format, broken or too large; with ST_UNSUPPORTED, saying how to get it, if this build lacks the library. The caller frees
 * *out, which is zeroed after a failure. */
enum status image_decode(const void *file, size_t bytes, const char *what, struct image *out, struct err *err);
void image_free(struct image *im); /* accepts zeros */

/* Decode the file at `path`. Fails with ST_IO if it cannot be read, else as image_decode. */
enum status image_open(const char *path, struct image *out, struct err *err);

/* Decode to the numbers that the file has: the indices of a palette, gray of fewer than 8 bits as it is. Fails with ST_USAGE, too,
 * for 16 bits, and for an index beyond the palette. */
enum status image_decode_numbers(const void *file, size_t bytes, const char *what, struct image *out, struct err *err);
enum status image_open_numbers(const char *path, struct image *out, struct err *err);

/* Check width and height against IMAGE_MAX_PIXELS and allocate the pixels; for image_readers. Fails with ST_USAGE, giving the
 * numbers, or ST_NOMEM. */
enum status image_alloc(struct image *im, const char *what, struct err *err);

enum status image_read_png(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err);
enum status image_read_jpeg(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err);
enum status image_read_bmp(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err);
enum status image_read_pnm(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err);
