/* SPDX-License-Identifier: Apache-2.0 */
/* eval_page.c - thumbnails by the antialiased resizing of inputs, and the list of them. */
#include "cmd/evaluation/eval_page.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/eval/preprocess.h"

enum { QUALITY = 82 };

/* Alpha is dropped, and gray stays gray. */
static void drop_alpha(struct image *im)
{
    const size_t n = (size_t)im->width * im->height;
    const uint32_t kept = im->channels - 1;

    for (size_t i = 1; i < n; i++)
        memmove(im->pixels + i * kept, im->pixels + i * im->channels, kept);
    im->channels = kept;
}

static enum status shrink(struct image *im, struct err *err)
{
    const uint32_t longer = im->width > im->height ? im->width : im->height;
    const uint64_t w = (uint64_t)im->width * EVAL_SHOWN_SIDE / longer, h = (uint64_t)im->height * EVAL_SHOWN_SIDE / longer;
    const struct resize_source from = {im->pixels, im->width, 0, 0, im->width, im->height, im->channels};
    struct resize to = {.full_width = w ? (uint32_t)w : 1, .full_height = h ? (uint32_t)h : 1};
    uint8_t *small;
    enum status st;

    if (longer <= EVAL_SHOWN_SIDE)
        return ST_OK;
    to.width = to.full_width;
    to.height = to.full_height;
    if (!(small = malloc((size_t)to.width * to.height * im->channels)))
        return err_set(err, ST_NOMEM, "out of memory for %u x %u pixels", to.width, to.height);
    if ((st = preprocess_antialias(&from, &to, false, small, err))) {
        free(small);
        return st;
    }
    free(im->pixels);
    im->pixels = small;
    im->width = to.width;
    im->height = to.height;
    return ST_OK;
}

uint32_t eval_show_file(struct eval_shown *s, const char *mime, struct encoded file, uint32_t width, uint32_t height)
{
    const uint32_t i = s->n++;

    s->files[i] = file;
    s->list[i] = (struct html_picture){mime, file.data, file.bytes, width, height, s->captions[i], s->boxes[i], 0};
    return i;
}

uint32_t eval_show_again(struct eval_shown *s, uint32_t i)
{
    const uint32_t k = eval_show_file(s, s->list[i].mime, (struct encoded){0}, s->list[i].width, s->list[i].height);

    s->list[k].data = s->list[i].data;
    s->list[k].bytes = s->list[i].bytes;
    return k;
}

void eval_show_box(struct eval_shown *s, uint32_t i, struct html_box box, const char *label, ...)
{
    const size_t k = s->list[i].n_boxes;
    va_list args;

    if (k == EVAL_MOST_BOXES)
        return;
    va_start(args, label);
    vsnprintf(s->labels[i][k], EVAL_LABEL_SIZE, label, args);
    va_end(args);
    box.label = s->labels[i][k];
    s->boxes[i][k] = box;
    s->list[i].n_boxes++;
}

enum status eval_show_photo(struct eval_shown *s, const struct evaluation *e, const struct picture *p, uint32_t *i, struct err *err)
{
    struct encoded file = {0};
    char path[PATH_MAX];
    struct image im;
    uint32_t width, height;
    enum status st;

    if (!image_named(p->name) || snprintf(path, sizeof path, "%s/%s", e->pictures.dir, p->name) >= (int)sizeof path)
        return err_set(err, ST_UNSUPPORTED, "%.200s is no image", p->name);
    if ((st = image_open(path, &im, err)))
        return st;
    width = im.width;
    height = im.height;
    if (im.channels % 2 == 0)
        drop_alpha(&im);
    if (width > PREPROCESS_MAX_SIDE || height > PREPROCESS_MAX_SIDE)
        st = err_set(err, ST_UNSUPPORTED, "%.200s has %u x %u pixels", p->name, width, height);
    if (!st && !(st = shrink(&im, err)))
        st = image_encode_jpeg(&im, QUALITY, &file, err);
    image_free(&im);
    if (!st)
        *i = eval_show_file(s, "image/jpeg", file, width, height);
    return st;
}

/* ---- the list ---- */

static void clear(struct eval_shown *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        free(s->files[i].data);
    *s = (struct eval_shown){0};
}

enum status eval_draw(struct html *h, const void *gallery, struct err *err)
{
    const struct eval_gallery *g = gallery;
    const uint32_t most = g->n < (uint32_t)g->e->flags.html_pictures ? g->n : (uint32_t)g->e->flags.html_pictures;
    struct eval_shown *s = calloc(1, sizeof *s);
    enum status st = s ? ST_OK : err_set(err, ST_NOMEM, "out of memory for the pictures of the page");
    uint32_t i = 0;

    for (; i < most && !st; i++) {
        const enum status one = g->show(s, g->e, g->list[i], err);

        if (one == ST_NOMEM)
            st = one;
        else if (one)
            html_item(h, "%s is not shown: %s", g->list[i]->name, err->msg);
        else if (!html_pictures(h, g->list[i]->name, s->list, s->n))
            break;
        clear(s);
    }
    if (!st && i < most)
        html_note(h, "%u more pictures would make the page larger than %zu MB.", most - i, HTML_PICTURES_MAX_BYTES >> 20);
    if (!st && most < g->n)
        html_note(h, "The first %u of %u pictures are shown (--html_pictures=%u).", most, g->n, g->n);
    if (s)
        clear(s);
    free(s);
    return st;
}
