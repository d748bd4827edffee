/* SPDX-License-Identifier: Apache-2.0 */
/* image_bmp.c - uncompressed BMP of 8 bits (by its palette), 24 and 32 (the fourth byte is not used).
 *
 * Source: Microsoft's description of BITMAPFILEHEADER and BITMAPINFOHEADER. Rows are padded to four bytes, the bottom one first
 * unless the height is negative; pixels are blue, green, red. */
#include "cmd/input/image.h"

#define FILE_HEADER 14
#define INFO_HEADER 40

enum { COMPRESSION_NONE = 0, COMPRESSION_MASKS = 3 };

static uint32_t u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t u16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

/* Where things are in the file. */
struct layout {
    uint32_t bits;
    size_t row_bytes, pixels_at; /* in the file */
    bool top_down;
    const uint8_t *palette; /* [n_colors][4], blue first; 8 bits alone */
    uint32_t n_colors;
};

static enum status find_palette(const uint8_t *file, size_t bytes, const char *what, struct layout *l, struct err *err)
{
    size_t at = FILE_HEADER + (size_t)u32(file + 14);

    l->n_colors = u32(file + 46) ? u32(file + 46) : 256;
    if (l->n_colors > 256 || at > bytes || bytes - at < 4 * (size_t)l->n_colors)
        return err_set(err, ST_USAGE, "%s: a palette of %u colors at byte %zu is not within its %zu bytes", what, l->n_colors, at,
                       bytes);
    l->palette = file + at;
    return ST_OK;
}

/* The standard order of the channels, said by masks. */
static bool usual_masks(const uint8_t *file, size_t bytes)
{
    return bytes >= 66 && u32(file + 54) == 0xff0000 && u32(file + 58) == 0xff00 && u32(file + 62) == 0xff;
}

static enum status read_head(const uint8_t *file, size_t bytes, const char *what, struct layout *l, struct image *out,
                             struct err *err)
{
    uint32_t compression, height;

    if (bytes < FILE_HEADER + INFO_HEADER || u32(file + 14) < INFO_HEADER)
        return err_set(err, ST_USAGE, "%s: a BMP of %zu bytes without the header of %d that is read", what, bytes, INFO_HEADER);
    l->pixels_at = u32(file + 10);
    l->bits = u16(file + 28);
    compression = u32(file + 30);
    height = u32(file + 22);
    l->top_down = height >> 31;
    out->width = u32(file + 18);
    out->height = l->top_down ? 0 - height : height;
    out->channels = out->numbers && l->bits == 8 ? 1 : 3;
    if ((compression != COMPRESSION_NONE && !(compression == COMPRESSION_MASKS && l->bits == 32 && usual_masks(file, bytes))) ||
        (l->bits != 8 && l->bits != 24 && l->bits != 32))
        return err_set(err, ST_USAGE, "%s: a BMP of %u bits with compression %u; uncompressed ones of 8, 24 and 32 bits are read",
                       what, l->bits, compression);
    if (out->width >> 31)
        return err_set(err, ST_USAGE, "%s: a BMP with the width %d", what, (int)out->width);
    return l->bits == 8 ? find_palette(file, bytes, what, l, err) : ST_OK;
}

static enum status check_size(size_t bytes, const char *what, struct layout *l, const struct image *im, struct err *err)
{
    const uint64_t row_bytes = ((uint64_t)im->width * l->bits + 31) / 32 * 4;

    l->row_bytes = (size_t)row_bytes; /* 32 bits hold that of a row that is there */
    if (l->pixels_at > bytes || (bytes - l->pixels_at) / row_bytes < im->height)
        return err_set(err, ST_USAGE, "%s: %u x %u pixels of %u bits at byte %zu are not within its %zu bytes", what, im->width,
                       im->height, l->bits, l->pixels_at, bytes);
    return ST_OK;
}

static enum status copy_row(const uint8_t *from, const char *what, const struct layout *l, const struct image *im, uint8_t *to,
                            struct err *err)
{
    for (uint32_t x = 0; x < im->width; x++, to += im->channels) {
        const uint8_t *p = from + x * (size_t)(l->bits / 8);

        if (l->palette && *p >= l->n_colors)
            return err_set(err, ST_USAGE, "%s: color %u of a palette of %u", what, *p, l->n_colors);
        if (l->palette && im->channels == 3)
            p = l->palette + 4 * (size_t)*p;
        if (im->channels == 3)
            to[0] = p[2], to[1] = p[1], to[2] = p[0];
        else
            to[0] = *p;
    }
    return ST_OK;
}

enum status image_read_bmp(const uint8_t *file, size_t bytes, const char *what, struct image *out, struct err *err)
{
    struct layout l = {0};
    enum status st;

    out->format = "BMP";
    if ((st = read_head(file, bytes, what, &l, out, err)))
        return st;
    if (!out->width)
        return image_alloc(out, what, err);
    if ((st = check_size(bytes, what, &l, out, err)) || (st = image_alloc(out, what, err)))
        return st;
    for (size_t y = 0; y < out->height && !st; y++)
        st = copy_row(file + l.pixels_at + (l.top_down ? y : out->height - 1 - y) * l.row_bytes, what, &l, out,
                      out->pixels + y * out->width * out->channels, err);
    return st;
}
