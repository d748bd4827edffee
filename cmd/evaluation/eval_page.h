/* SPDX-License-Identifier: Apache-2.0 */
/* eval_page.h - the pictures that went wrong on the page of --html, made smaller, beside their truth and answers. */
#pragma once

#include "cmd/evaluation/evaluation.h"
#include "cmd/input/image_encode.h"
#include "cmd/print/html_pictures.h"
#include "cmd/print/results.h"

enum { EVAL_SHOWN_SIDE = 256, EVAL_MOST_SHOWN = 4, EVAL_CAPTION_SIZE = 256, EVAL_MOST_BOXES = 200, EVAL_LABEL_SIZE = 64 };

/* What is shown of one picture, side by side. */
struct eval_shown {
    struct html_picture list[EVAL_MOST_SHOWN];
    struct encoded files[EVAL_MOST_SHOWN]; /* owned */
    char captions[EVAL_MOST_SHOWN][EVAL_CAPTION_SIZE];
    struct html_box boxes[EVAL_MOST_SHOWN][EVAL_MOST_BOXES]; /* n_boxes of list[i] are in use */
    char labels[EVAL_MOST_SHOWN][EVAL_MOST_BOXES][EVAL_LABEL_SIZE];
    uint32_t n;
};

/* Add the picture itself, made smaller, as a JPEG; boxes count in its own pixels. Returns its place in *i: its caption is "" so
 * far. Fails as image_open does, with ST_UNSUPPORTED for files that are no images, and as image_encode_jpeg does. */
enum status eval_show_photo(struct eval_shown *s, const struct evaluation *e, const struct picture *p, uint32_t *i,
                            struct err *err);

/* Add a file that is encoded already, and take it; its size in pixels. */
uint32_t eval_show_file(struct eval_shown *s, const char *mime, struct encoded file, uint32_t width, uint32_t height);

/* Put pictures of a task into `s`, which is empty. Failures about the picture are said on the page, and the next one follows.
 */
typedef enum status (*eval_show)(struct eval_shown *s, const struct evaluation *e, const struct picture *p, struct err *err);

/* Add what is at place i once more, without its boxes. */
uint32_t eval_show_again(struct eval_shown *s, uint32_t i);

/* Draw a box over what is at place i, with a label; beyond EVAL_MOST_BOXES none. */
void eval_show_box(struct eval_shown *s, uint32_t i, struct html_box box, const char *label, ...)
    __attribute__((format(printf, 4, 5)));

/* Pictures for a page: result_chart(section, eval_draw, gallery). `list` is borrowed until the page is written. */
struct eval_gallery {
    const struct evaluation *e;
    const struct picture *const *list; /* [n] the worst first */
    uint32_t n;
    eval_show show;
};

/* Draw the first --html_pictures of a struct eval_gallery, as many as fit on a page, and say how many are left out. ST_NOMEM. */
enum status eval_draw(struct html *h, const void *gallery, struct err *err);
