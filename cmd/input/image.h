/* SPDX-License-Identifier: Apache-2.0 */
/* image.h - image files as pixels of 8 bits.
 *
 * PNG is read by libpng and JPEG by libjpeg-turbo, if the build has them (WITH_PNG, WITH_JPEG; pkg-config finds them); BMP, PPM and
 * PGM by readers of our own. Pixels are the numbers in the file: no gamma, no colour profile and no orientation of EXIF is applied,
 * palettes are looked up, 16 bits become 8 by v * 255 / 65535, rounded. */
#ifndef DELEGAUGE_CMD_IMAGE_H
#define DELEGAUGE_CMD_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/* An image of more pixels is refused before anything is allocated for them: few bytes of file can claim many. */
#define IMAGE_MAX_PIXELS ((uint64_t)1 << 27)

/* A longer file is refused. */
#define IMAGE_MAX_FILE_BYTES ((size_t)1 << 30)

struct image {
    const char *format; /* "PNG"; static */
    uint32_t width, height;
    uint32_t channels; /* 1: gray, 2: gray and alpha, 3: RGB, 4: RGBA */
    uint8_t *pixels;   /* [height,width,channels], top row first */
};

/* Reader of one format: `out` holds zeros at first, and the caller frees its content after a failure too. */
typedef enum status (*image_reader)(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err);

/* True for a path that ends as one of the formats does, in small or capital letters: .png .jpg .jpeg .bmp .ppm .pgm .pnm. */
bool image_named(const char *path);

/* Decode a whole file in memory, whatever its name: the first bytes tell the format. ST_USAGE, beginning with `what`, if it is none
 * of the formats, broken or too large; ST_UNSUPPORTED if this build lacks the library, saying how to get it. The caller frees *out,
 * which holds zeros after a failure. */
enum status image_decode(const void *file, size_t bytes, const char *what, struct image *out, struct err *err);
void image_free(struct image *im); /* accepts zeros */

/* Decode the file at that path. ST_IO if it cannot be read. */
enum status image_open(const char *path, struct image *out, struct err *err);

/* For readers: check the size against IMAGE_MAX_PIXELS and allocate the pixels. ST_USAGE names the numbers; ST_NOMEM. */
enum status image_alloc(struct image *im, const char *what, struct err *err);

enum status image_read_png(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err);
enum status image_read_jpeg(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err);
enum status image_read_bmp(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err);
enum status image_read_pnm(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err);

#endif
