/* SPDX-License-Identifier: Apache-2.0 */
/* segmentation_count.c - figures of all pictures, those that went worst, and what the answer is in words. */
#include <math.h>
#include <stdlib.h>

#include "cmd/segmentation/eval_segmentation.h"

struct ranked {
    const struct picture *picture;
    double miou; /* of the first side; NaN: a picture without pixels to judge */
};

/* The least first, then by place. */
static int by_miou(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->miou != y->miou)
        return x->miou < y->miou ? -1 : 1;
    return x->picture->number < y->picture->number ? -1 : x->picture->number > y->picture->number;
}

static enum status rank_worst(struct segmentation *e, struct err *err)
{
    const struct pictures *p = &e->base.pictures;
    struct ranked *all = ARENA_ARRAY(&e->base.arena, p->n, struct ranked);
    uint32_t n = 0;

    e->worst = ARENA_ARRAY(&e->base.arena, p->n, const struct picture *);
    if (!all || !e->worst)
        return err_set(err, ST_NOMEM, "out of memory for %u pictures", p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct segmented *of = segmented_of(e, &p->list[i]);

        if (p->list[i].state == PICTURE_DONE && of->pixels)
            all[n++] = (struct ranked){&p->list[i], of->miou[0]};
    }
    if (n)
        qsort(all, n, sizeof *all, by_miou);
    for (uint32_t i = 0; i < n; i++)
        e->worst[e->n_worst++] = all[i].picture;
    return ST_OK;
}

static bool has_passed(const struct segmentation *e)
{
    if (!eval_delegated(&e->base) || !eval_agrees(&e->base, pixel_share(e->same, e->pixels)))
        return false;
    return e->flags.min_miou < 0 || e->figures[0].mean_iou >= e->flags.min_miou; /* NaN meets none */
}

enum status segmentation_count(struct segmentation *e, struct err *err)
{
    enum status st;

    if ((st = eval_count(&e->base, err)) || (st = rank_worst(e, err)))
        return st;
    for (uint32_t s = 0; s < e->base.n_sides; s++)
        e->figures[s] = pixel_figures_of(&e->counts[s]);
    e->base.passed = has_passed(e);
    return ST_OK;
}

const char *segmentation_text(const struct segmentation *e, char out[SEGMENTATION_TEXT_SIZE])
{
    static const char *const ways[] = {[MATCH_BILINEAR] = "resized bilinearly to the truth's size",
                                       [MATCH_NEAREST] = "the nearest pixel at the truth's size",
                                       [MATCH_TRUTH] = "the truth by the nearest pixel at this size"};
    const struct tensor *t = session_output(e->base.sides[0].session, e->output);
    char what[64];

    if (e->place.kind == LABEL_OUTPUT_PROBABILITY)
        snprintf(what, sizeof what, "the probability of class 1, above %g", e->flags.threshold);
    else
        snprintf(what, sizeof what, "%s of %u classes%s", e->place.kind == LABEL_OUTPUT_SCORES ? "scores" : "a map", e->labels.n,
                 e->place.channels_first ? ", channels first" : "");
    snprintf(out, SEGMENTATION_TEXT_SIZE, "output '%.100s' %s, %s; %s", t->name, TENSOR_TEXT(t), what, ways[e->way]);
    return out;
}
