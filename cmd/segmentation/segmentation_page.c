/* SPDX-License-Identifier: Apache-2.0 */
/* segmentation_page.c - the worst pictures on the page, each beside its truth and its answers. */
#include <stdlib.h>
#include <string.h>

#include "cmd/evaluation/eval_page.h"
#include "cmd/segmentation/segmentation_results.h"

enum { SHOWN_CLASSES = 60 };

/* ---- answers that are kept ---- */

/* The size of a page's pictures, of the same aspect. */
static struct label_map *small_map(const struct label_map *m)
{
    const uint32_t longer = m->width > m->height ? m->width : m->height, side = longer > EVAL_SHOWN_SIDE ? EVAL_SHOWN_SIDE : longer;
    const uint32_t w = (uint32_t)((uint64_t)m->width * side / longer), h = (uint32_t)((uint64_t)m->height * side / longer);

    return label_map_resize(m, w ? w : 1, h ? h : 1);
}

static void drop(struct kept_answer *k)
{
    for (uint32_t s = 0; s < MAX_SIDES; s++)
        free(k->answers[s]);
    *k = (struct kept_answer){0};
}

void segmentation_drop_kept(struct segmentation *e)
{
    for (uint32_t i = 0; i < e->n_kept; i++)
        drop(&e->kept[i]);
}

/* The place of a picture of that mean IoU: a free one, or that of the best picture if it is better; NULL: it is none of the worst.
 */
static struct kept_answer *place_for(struct segmentation *e, double miou)
{
    struct kept_answer *best = NULL;

    if (e->n_kept < (uint32_t)e->base.flags.html_pictures)
        return &e->kept[e->n_kept++];
    for (uint32_t i = 0; i < e->n_kept; i++)
        if (!best || e->kept[i].miou >= best->miou)
            best = &e->kept[i];
    return best && miou < best->miou ? best : NULL;
}

enum status segmentation_keep(struct segmentation *e, const struct picture *p, const struct label_map *first,
                              const struct label_map *second, struct err *err)
{
    const struct segmented *of = segmented_of(e, p);
    struct kept_answer *k;

    if (!*e->base.flags.html || !of->pixels)
        return ST_OK;
    if (!e->kept && !(e->kept = ARENA_ARRAY(&e->base.arena, (size_t)e->base.flags.html_pictures, struct kept_answer)))
        return err_set(err, ST_NOMEM, "out of memory for the pictures of the page");
    if (!(k = place_for(e, of->miou[0])))
        return ST_OK;
    drop(k);
    *k = (struct kept_answer){p, of->miou[0], {small_map(first), second ? small_map(second) : NULL}};
    return k->answers[0] && (k->answers[1] || !second) ? ST_OK
                                                       : err_set(err, ST_NOMEM, "out of memory for the pictures of the page");
}

/* ---- the page ---- */

static enum status show_map(struct eval_shown *s, const struct segmentation *e, const struct label_map *m, uint32_t *i,
                            struct err *err)
{
    struct encoded png;
    const enum status st = segmentation_png(e, m, &png, err);

    if (!st)
        *i = eval_show_file(s, "image/png", png, m->width, m->height);
    return st;
}

static enum status show_truth(struct eval_shown *s, const struct segmentation *e, const struct picture *p, struct err *err)
{
    struct label_map *m, *small;
    enum status st;
    uint32_t i = 0;

    if ((st = segmentation_read_truth(e, segmented_of(e, p)->truth, &m, err))) {
        free(m);
        return st;
    }
    small = small_map(m);
    free(m);
    st = small ? show_map(s, e, small, &i, err) : err_set(err, ST_NOMEM, "out of memory for a map");
    free(small);
    if (!st)
        snprintf(s->captions[i], EVAL_CAPTION_SIZE, "truth");
    return st;
}

static const struct kept_answer *kept_of(const struct segmentation *e, const struct picture *p)
{
    for (uint32_t i = 0; i < e->n_kept; i++)
        if (e->kept[i].picture == p)
            return &e->kept[i];
    return NULL;
}

static enum status show(struct eval_shown *s, const struct evaluation *base, const struct picture *p, struct err *err)
{
    const struct segmentation *e = (const struct segmentation *)base;
    const struct segmented *of = segmented_of(e, p);
    const struct kept_answer *kept = kept_of(e, p);
    enum status st;
    uint32_t i = 0;

    if ((st = eval_show_photo(s, base, p, &i, err)))
        return st;
    snprintf(s->captions[i], EVAL_CAPTION_SIZE, kept ? "picture" : "picture; its answers are those of an earlier run");
    if ((st = show_truth(s, e, p, err)))
        return st;
    for (uint32_t k = 0; kept && k < base->n_sides; k++) {
        if ((st = show_map(s, e, kept->answers[k], &i, err)))
            return st;
        snprintf(s->captions[i], EVAL_CAPTION_SIZE, "%.40s: mean IoU %.2f %%, right %.2f %%", base->sides[k].name,
                 100 * of->miou[k], 100 * pixel_share(of->right[k], of->pixels));
    }
    return ST_OK;
}

static enum status draw(struct html *h, const void *arg, struct err *err)
{
    const struct segmentation *e = arg;
    const struct eval_gallery g = {&e->base, e->worst, e->n_worst, show};
    struct html_swatch colors[SHOWN_CLASSES];
    char names[SHOWN_CLASSES][LABEL_NAME_SIZE];
    uint8_t rgb[256][3];
    size_t n = 0;

    segmentation_colors(e, rgb);
    for (uint32_t i = 0; i < e->labels.n && i < 256 && n < SHOWN_CLASSES; i++) {
        if (!segmentation_occurs(e, i))
            continue;
        colors[n].name = label_name(&e->labels, i, names[n]);
        memcpy(colors[n++].rgb, rgb[i], 3);
    }
    html_swatches(h, colors, n);
    return eval_draw(h, &g, err);
}

void segmentation_page_results(struct results *r, const struct segmentation *e)
{
    if (*e->base.flags.html && e->n_worst && e->base.flags.html_pictures)
        result_chart(r->parts[SEGMENTATION_WORST], draw, e);
}
