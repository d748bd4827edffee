/* SPDX-License-Identifier: Apache-2.0 */
/* image_encode.h - 8-bit pixels as the bytes of an image file: PNG by libpng, JPEG by libjpeg-turbo, if the build has them. */
#pragma once

#include "cmd/input/image.h"

struct encoded {
    uint8_t *data; /* owned; freed with free() */
    size_t bytes;
};

/* Encode gray, RGB, or with a palette of n_colors (at most 256; 0: none) indices. Fails with ST_NOMEM, and with ST_UNSUPPORTED,
 * saying how to get it, if this build lacks the library. *out is zeroed after a failure. */
enum status image_encode_png(const struct image *im, const uint8_t (*palette)[3], uint32_t n_colors, struct encoded *out,
                             struct err *err);

/* Encode gray or RGB with a quality from 1 to 100. Fails as image_encode_png does. */
enum status image_encode_jpeg(const struct image *im, int quality, struct encoded *out, struct err *err);
