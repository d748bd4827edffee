/* SPDX-License-Identifier: Apache-2.0 */
/* classification_task.c - a picture's answer: the largest score, and the place of the right class. */
#include <math.h>
#include <stdlib.h>

#include "cmd/classification/eval_classification.h"

enum { ONE_RANKS = 5 };

/* One picture in, one list of scores out. */
static enum status accept_model(struct evaluation *e, struct err *err)
{
    const struct session *s = e->sides[0].session;
    struct preprocess_input place;
    enum status st;
    uint32_t n;

    if (session_n_inputs(s) != 1 || session_n_outputs(s) != 1 || !session_input(s, 0) || !session_output(s, 0))
        return err_set(err, ST_USAGE, "the model has %u inputs and %u outputs; a classifier has one of each", session_n_inputs(s),
                       session_n_outputs(s));
    if ((st = topk_classes(session_output(s, 0), &n, err)))
        return st;
    return preprocess_place(&e->preprocess, session_input(s, 0), &place, err);
}

static void put_key(const struct evaluation *base, FILE *to)
{
    const struct classification *e = (const struct classification *)base;

    fprintf(to, "%u %u\n", e->labels.n, e->n_ranks);
    for (uint32_t i = 0; e->among && i < e->labels.n; i++)
        fputc(e->among[i] ? '1' : '0', to);
    for (uint32_t i = 0; i < base->pictures.n; i++) {
        const struct labelled *one = labelled_of(e, &base->pictures.list[i]);

        fprintf(to, "%s\t%u\n", one->label, one->truth);
    }
}

static enum status take(struct evaluation *base, const struct picture *p, const struct decoded *one, uint32_t side, struct err *err)
{
    const struct classification *e = (const struct classification *)base;
    struct labelled *of = labelled_of(e, p);
    struct answer *a = &of->answers[side];
    struct topk top;

    (void)one, (void)err;
    topk_find(session_output(base->sides[side].session, 0), e->n_ranks, e->among, &top);
    *a = (struct answer){
        .top = top.n ? e->labels.same[top.index[0]] : NO_CLASS, .score = top.n ? (float)top.score[0] : NAN, .nan = top.n_nan > 0};
    for (uint32_t i = 0; i < top.n && !a->rank; i++)
        for (uint32_t k = 0; k < of->n_truths && !a->rank; k++)
            a->rank = e->labels.same[top.index[i]] == of->truths[k] ? i + 1 : 0;
    return ST_OK;
}

static void put(const struct evaluation *base, const struct picture *p, uint32_t side, FILE *to)
{
    const struct answer *a = &labelled_of((const struct classification *)base, p)->answers[side];

    fprintf(to, "\t%u\t%u\t%a\t%d", a->top, a->rank, (double)a->score, a->nan);
}

static bool get(struct evaluation *base, const struct picture *p, uint32_t side, char **fields)
{
    const struct classification *e = (const struct classification *)base;
    struct answer *a = &labelled_of(e, p)->answers[side];
    int64_t top, rank, nan;
    char *end;

    if (!flag_read_int(fields[0], 0, UINT32_MAX, &top) || (top != NO_CLASS && top >= e->labels.n) ||
        !flag_read_int(fields[1], 0, e->n_ranks, &rank) || !flag_read_int(fields[3], 0, UINT32_MAX, &nan))
        return false;
    *a = (struct answer){.top = (uint32_t)top, .rank = (uint32_t)rank, .score = (float)strtod(fields[2], &end), .nan = nan};
    return end != fields[2] && !*end;
}

const struct eval_task classification_task = {
    .preset = "tflite", .accept_model = accept_model, .put_key = put_key, .take = take, .n_fields = 4, .put = put, .get = get};

enum status classification_run_one(struct classification *e, struct err *err)
{
    const enum status st = eval_run_one(&e->base, e->flags.image, err);

    for (uint32_t i = 0; i < e->base.n_sides && !st; i++)
        topk_find(session_output(e->base.sides[i].session, 0), ONE_RANKS, e->among, &e->one[i]);
    return st;
}
