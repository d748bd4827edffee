/* SPDX-License-Identifier: Apache-2.0 */
/* classification_count.c - figures of classes, of confusions and of two sides, from the answers. */
#include <stdlib.h>

#include "cmd/classification/eval_classification.h"
#include "lib/eval/wilson.h"

/* By truth, then by answer. */
static int by_pair(const void *a, const void *b)
{
    const struct confusion *x = a, *y = b;

    if (x->truth != y->truth)
        return x->truth < y->truth ? -1 : 1;
    return x->answer < y->answer ? -1 : x->answer > y->answer;
}

static int by_count(const void *a, const void *b)
{
    const struct confusion *x = a, *y = b;

    return x->count != y->count ? (x->count < y->count ? 1 : -1) : by_pair(a, b);
}

/* Equal neighbours become one with their number. */
static uint32_t merge(struct confusion *list, uint32_t n)
{
    uint32_t out = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (out && !by_pair(&list[out - 1], &list[i]))
            list[out - 1].count += list[i].count;
        else
            list[out++] = list[i];
    }
    return out;
}

static enum status count_confusions(struct classification *e, struct err *err)
{
    const struct pictures *p = &e->base.pictures;

    if (!(e->confusions = ARENA_ARRAY(&e->base.arena, p->n, struct confusion)))
        return err_set(err, ST_NOMEM, "out of memory for %u pictures", p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct picture *one = &p->list[i];

        if (one->state == PICTURE_DONE && labelled_of(e, one)->answers[0].rank != 1 && labelled_of(e, one)->truth != NO_CLASS)
            e->confusions[e->n_confusions++] = (struct confusion){labelled_of(e, one)->truth, labelled_of(e, one)->answers[0].top,
                                                                  1};
    }
    if (e->n_confusions)
        qsort(e->confusions, e->n_confusions, sizeof *e->confusions, by_pair);
    e->n_confusions = merge(e->confusions, e->n_confusions);
    if (e->n_confusions)
        qsort(e->confusions, e->n_confusions, sizeof *e->confusions, by_count);
    return ST_OK;
}

static enum status count_classes(struct classification *e, struct err *err)
{
    const struct pictures *p = &e->base.pictures;
    struct class_figures *all = ARENA_ARRAY(&e->base.arena, e->labels.n, struct class_figures);

    if (!all)
        return err_set(err, ST_NOMEM, "out of memory for %u classes", e->labels.n);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct picture *one = &p->list[i];

        if (one->state != PICTURE_DONE || labelled_of(e, one)->truth == NO_CLASS)
            continue;
        all[labelled_of(e, one)->truth].n++;
        for (uint32_t s = 0; s < e->base.n_sides; s++)
            all[labelled_of(e, one)->truth].right[s] += labelled_of(e, one)->answers[s].rank == 1;
    }
    for (uint32_t i = 0; i < e->n_confusions; i++) { /* most frequent first */
        const struct confusion *c = &e->confusions[i];

        if (!all[c->truth].taken_for_count) {
            all[c->truth].taken_for_count = c->count;
            all[c->truth].taken_for = c->answer;
        }
    }
    e->classes = all;
    for (uint32_t i = 0; i < e->labels.n; i++) {
        struct class_figures one = all[i];

        one.index = i;
        if (!one.taken_for_count)
            one.taken_for = NO_CLASS;
        if (one.n)
            all[e->n_classes++] = one;
    }
    return ST_OK;
}

static void count_agreement(struct classification *e)
{
    struct agreement *g = &e->agreement;

    for (uint32_t i = 0; i < e->base.pictures.n && e->base.n_sides > 1; i++) {
        const struct picture *one = &e->base.pictures.list[i];
        const bool a = labelled_of(e, one)->answers[0].rank == 1, b = labelled_of(e, one)->answers[1].rank == 1;

        if (one->state != PICTURE_DONE)
            continue;
        g->same += labelled_of(e, one)->answers[0].top == labelled_of(e, one)->answers[1].top;
        g->both += a && b;
        g->only_first += a && !b;
        g->only_second += b && !a;
    }
    g->p = wilson_mcnemar(g->only_first, g->only_second);
}

static bool has_passed(const struct classification *e)
{
    const double n = (double)e->base.n_done; /* 0 / 0 meets no demand */

    if (!eval_delegated(&e->base) || !eval_agrees(&e->base, (double)e->agreement.same / n))
        return false;
    return e->flags.min_accuracy < 0 || (double)e->right[0][0] / n >= e->flags.min_accuracy;
}

static void count_right(struct classification *e)
{
    for (uint32_t s = 0; s < e->base.n_sides; s++)
        for (uint32_t i = 0; i < e->base.pictures.n; i++) {
            const struct answer *a = &labelled_of(e, &e->base.pictures.list[i])->answers[s];

            if (e->base.pictures.list[i].state != PICTURE_DONE)
                continue;
            e->n_nan[s] += a->nan;
            for (uint32_t rank = a->rank; rank && rank <= e->n_ranks; rank++)
                e->right[s][rank - 1]++;
        }
}

enum status classification_count(struct classification *e, struct err *err)
{
    enum status st;

    if ((st = eval_count(&e->base, err)) || (st = count_confusions(e, err)) || (st = count_classes(e, err)))
        return st;
    count_right(e);
    count_agreement(e);
    e->base.passed = has_passed(e);
    return ST_OK;
}
