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

static enum status count_confusions(struct evaluation *e, struct err *err)
{
    const struct pictures *p = &e->pictures;

    if (!(e->confusions = ARENA_ARRAY(&e->arena, p->n, struct confusion)))
        return err_set(err, ST_NOMEM, "out of memory for %u pictures", p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct picture *one = &p->list[i];

        if (one->state == PICTURE_DONE && one->answers[0].rank != 1 && one->truth != NO_CLASS)
            e->confusions[e->n_confusions++] = (struct confusion){one->truth, one->answers[0].top, 1};
    }
    if (e->n_confusions)
        qsort(e->confusions, e->n_confusions, sizeof *e->confusions, by_pair);
    e->n_confusions = merge(e->confusions, e->n_confusions);
    if (e->n_confusions)
        qsort(e->confusions, e->n_confusions, sizeof *e->confusions, by_count);
    return ST_OK;
}

static enum status count_classes(struct evaluation *e, struct err *err)
{
    const struct pictures *p = &e->pictures;
    struct class_figures *all = ARENA_ARRAY(&e->arena, e->labels.n, struct class_figures);

    if (!all)
        return err_set(err, ST_NOMEM, "out of memory for %u classes", e->labels.n);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct picture *one = &p->list[i];

        if (one->state != PICTURE_DONE || one->truth == NO_CLASS)
            continue;
        all[one->truth].n++;
        for (uint32_t s = 0; s < e->n_sides; s++)
            all[one->truth].right[s] += one->answers[s].rank == 1;
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

static void count_agreement(struct evaluation *e)
{
    struct agreement *g = &e->agreement;

    for (uint32_t i = 0; i < e->pictures.n && e->n_sides > 1; i++) {
        const struct picture *one = &e->pictures.list[i];
        const bool a = one->answers[0].rank == 1, b = one->answers[1].rank == 1;

        if (one->state != PICTURE_DONE)
            continue;
        g->same += one->answers[0].top == one->answers[1].top;
        g->both += a && b;
        g->only_first += a && !b;
        g->only_second += b && !a;
    }
    g->p = wilson_mcnemar(g->only_first, g->only_second);
}

static bool has_passed(const struct evaluation *e)
{
    const struct eval_side *s = &e->sides[0];
    const struct assignment *a = &s->assignment;

    if (s->on_delegate && (a->n_delegated < (uint32_t)e->flags.min_delegated || (e->flags.require_full_delegation && !a->full)))
        return false;
    if (e->n_done && (double)s->right[0] / (double)e->n_done < e->flags.min_accuracy)
        return false;
    return e->n_sides < 2 || !e->n_done || (double)e->agreement.same / (double)e->n_done >= e->flags.min_agreement;
}

static void count_right(struct evaluation *e)
{
    for (uint32_t s = 0; s < e->n_sides; s++)
        for (uint32_t i = 0; i < e->pictures.n; i++) {
            const struct answer *a = &e->pictures.list[i].answers[s];

            if (e->pictures.list[i].state != PICTURE_DONE)
                continue;
            e->sides[s].n_nan += a->nan;
            for (uint32_t rank = a->rank; rank && rank <= e->n_ranks; rank++)
                e->sides[s].right[rank - 1]++;
        }
}

enum status classification_count(struct evaluation *e, struct err *err)
{
    enum status st = stats_of(e->decode.us, e->decode.n, &e->decode_figures, err);

    for (uint32_t i = 0; i < e->n_sides && !st; i++)
        st = stats_of(e->sides[i].samples.us, e->sides[i].samples.n, &e->sides[i].figures, err);
    if (st || (st = count_confusions(e, err)) || (st = count_classes(e, err)))
        return st;
    count_right(e);
    count_agreement(e);
    e->passed = has_passed(e);
    return ST_OK;
}
