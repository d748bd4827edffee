/* SPDX-License-Identifier: Apache-2.0 */
/* image_pnm.c - binary PPM (P6) and PGM (P5), with values of one byte or of two.
 *
 * Source: the descriptions of these formats that come with Netpbm. Behind the letters stand width, height and the largest value,
 * between blanks and comments (# to the end of the line), then one blank, then the pixels. Values are scaled to 255. */
#include "cmd/input/image.h"

#include <ctype.h>

/* A number after blanks and comments, UINT32_MAX for what is larger; 0 where there is none. */
static uint32_t next_number(const uint8_t *file, size_t bytes, size_t *at)
{
    uint64_t v = 0;

    while (*at < bytes && (isspace(file[*at]) || file[*at] == '#'))
        if (file[(*at)++] == '#')
            while (*at < bytes && file[*at] != '\n')
                ++*at;
    for (; *at < bytes && isdigit(file[*at]); ++*at)
        v = v < UINT32_MAX / 10 ? v * 10 + (uint64_t)(file[*at] - '0') : UINT32_MAX;
    return (uint32_t)v;
}

static enum status check_head(size_t bytes, const char *what, const struct image *im, uint32_t max, size_t at, struct err *err)
{
    uint64_t pixels = (uint64_t)im->width * im->height;

    if (!im->width || !im->height || !max || max > 65535 || at >= bytes)
        return err_set(err, ST_USAGE, "%s: no width, height and largest value up to 65535 before the pixels, but %u, %u and %u",
                       what, im->width, im->height, max);
    /* Past that, image_alloc has the words. */
    if (pixels <= IMAGE_MAX_PIXELS && bytes - at - 1 < pixels * im->channels * (max > 255 ? 2 : 1))
        return err_set(err, ST_USAGE, "%s: %u x %u pixels of %u values up to %u are not in the %zu bytes behind its header", what,
                       im->width, im->height, im->channels, max, bytes - at - 1);
    return ST_OK;
}

enum status image_read_pnm(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err)
{
    uint32_t max;
    enum status st;
    size_t at = 2, n;

    out->format = file[1] == '5' ? "PGM" : "PPM";
    out->channels = file[1] == '5' ? 1 : 3;
    out->width = next_number(file, bytes, &at);
    out->height = next_number(file, bytes, &at);
    max = next_number(file, bytes, &at);
    if (out->numbers && max > 255)
        return err_set(err, ST_USAGE, "%s: values up to %u, where labels have 8 bits", what, max);
    if ((st = check_head(bytes, what, out, max, at, err)) || (st = image_alloc(out, what, err)))
        return st;
    n = (size_t)out->width * out->height * out->channels;
    at++;
    for (size_t i = 0; i < n; i++) {
        uint32_t v = max > 255 ? (uint32_t)file[at + 2 * i] << 8 | file[at + 2 * i + 1] : file[at + i];

        if (v > max)
            return err_set(err, ST_USAGE, "%s: a value of %u, where %u is the largest", what, v, max);
        out->pixels[i] = out->numbers ? (uint8_t)v : (uint8_t)((v * 255 + max / 2) / max);
    }
    return ST_OK;
}
