/* SPDX-License-Identifier: Apache-2.0 */
/* html_pictures.h - photographs and maps on a page, within it as data: URIs, with boxes drawn over them.
 *
 *   struct html *h = html_new_with("Title", "what it is about", &html_with_pictures);
 *
 *   if (!html_pictures(h, "cat.jpg", (struct html_picture[]){truth, answer}, 2))
 *       html_note(h, "The page would become too large for more pictures."); */
#pragma once

#include <stdint.h>

#include "cmd/print/html.h"

/* Styles of pages with pictures; without them a browser shows none. */
extern const struct html_own html_with_pictures;

/* Pictures of a page have at most so many bytes together, as files. */
#define HTML_PICTURES_MAX_BYTES ((size_t)6 << 20)

/* A box in pixels of the picture. Boxes of the second kind are dashed, and of another color: what is not in the truth. */
struct html_box {
    double x, y, width, height;
    bool second;
    const char *label; /* above it; "" for none */
};

struct html_picture {
    const char *mime; /* "image/png"; static */
    const void *data; /* [bytes] of the file */
    size_t bytes;
    uint32_t width, height; /* the pixels that boxes count in, those of the file or of what it was made smaller from */
    const char *caption;    /* below it */
    const struct html_box *boxes;
    size_t n_boxes;
};

/* The color of a class. */
struct html_swatch {
    const char *name;
    uint8_t rgb[3];
};

/* Add a key to the colors of maps. */
void html_swatches(struct html *h, const struct html_swatch *list, size_t n);

/* Add pictures side by side below a name. Returns false, and adds nothing, if the page would have more than
 * HTML_PICTURES_MAX_BYTES. Boxes with numbers that are not finite are left out; others are cut at the picture's edges. */
bool html_pictures(struct html *h, const char *name, const struct html_picture *list, size_t n);
