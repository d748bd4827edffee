/* SPDX-License-Identifier: Apache-2.0 */
/* segmentation_task.c - a picture's answer: how many pixels of each class were taken for each. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/evaluation/eval_decode.h"
#include "cmd/segmentation/eval_segmentation.h"

#define MOST_PIXELS ((int64_t)PREPROCESS_MAX_SIDE * PREPROCESS_MAX_SIDE)

/* ---- the model ---- */

/* The first output that has a place for a map; *err has the reason of the first that has none. */
static enum status find_output(struct segmentation *e, const struct preprocess_input *in, struct err *err)
{
    const struct session *s = e->base.sides[0].session;
    struct err other;
    enum status st = ST_USAGE;

    err_set(err, ST_USAGE, "the model has no output");
    for (e->output = 0; e->output < session_n_outputs(s); e->output++) {
        const struct tensor *t = session_output(s, e->output);

        st = t ? label_place(t, e->flags.output, e->flags.output_layout, in->width, in->height, &e->place, e->output ? &other : err)
               : ST_USAGE;
        if (!st)
            return ST_OK;
    }
    return st;
}

static enum status accept_model(struct evaluation *base, struct err *err)
{
    struct segmentation *e = (struct segmentation *)base;
    const struct session *s = base->sides[0].session;
    struct preprocess_input in;
    enum status st;

    if (session_n_inputs(s) != 1 || !session_input(s, 0))
        return err_set(err, ST_USAGE, "the model has %u inputs; a picture is one", session_n_inputs(s));
    if ((st = preprocess_place(&base->preprocess, session_input(s, 0), &in, err)) || (st = find_output(e, &in, err)))
        return st;
    if (base->preprocess.order != PREPROCESS_SQUASH)
        return err_set(err, ST_USAGE,
                       "the answer would not cover the picture and nothing else, as a crop or a border is asked for: --crop=none");
    if (e->way == MATCH_BILINEAR && e->place.kind == LABEL_OUTPUT_LABELS)
        return err_set(err, ST_USAGE, "--resize=bilinear: output '%.100s' has classes, and nothing lies between two of them",
                       session_output(s, e->output)->name);
    if (e->way == MATCH_AUTO)
        e->way = e->place.kind == LABEL_OUTPUT_LABELS ? MATCH_NEAREST : MATCH_BILINEAR;
    e->rule.bilinear = e->way == MATCH_BILINEAR;
    e->rule.threshold = e->flags.threshold;
    return ST_OK;
}

static void put_key(const struct evaluation *base, FILE *to)
{
    const struct segmentation *e = (const struct segmentation *)base;

    fprintf(to, "%u %d %d %d %u %a\n", e->labels.n, (int)e->way, (int)e->place.kind, e->place.channels_first, e->output,
            e->flags.threshold);
    for (uint32_t i = 0; i < LABEL_MAX_CLASSES; i++)
        fprintf(to, "%u ", e->meaning.class[i]);
    for (uint32_t i = 0; i < e->palette.n; i++)
        fprintf(to, "%u,%u,%u ", e->palette.rgb[i][0], e->palette.rgb[i][1], e->palette.rgb[i][2]);
    for (uint32_t i = 0; i < base->pictures.n; i++)
        fprintf(to, "%s\n", segmented_of(e, &base->pictures.list[i])->truth);
}

/* ---- a picture ---- */

static enum status read_truth(const struct evaluation *base, const struct picture *p, struct decoded *one, struct err *err)
{
    const struct segmentation *e = (const struct segmentation *)base;
    struct label_map *m, *small;
    enum status st = segmentation_read_truth(e, segmented_of(e, p)->truth, &m, err);

    one->more = m;
    if (st)
        return st;
    if (one->width && (one->width != m->width || one->height != m->height))
        return err_set(err, ST_USAGE, "%s has %u x %u pixels, where the picture has %u x %u", segmented_of(e, p)->truth, m->width,
                       m->height, one->width, one->height);
    if (e->way != MATCH_TRUTH)
        return ST_OK;
    small = label_map_resize(m, e->place.width, e->place.height);
    free(m);
    one->more = small;
    return small ? ST_OK : err_set(err, ST_NOMEM, "out of memory for a map of %u x %u pixels", e->place.width, e->place.height);
}

/* Add the last picture's counts to those of all. */
static void add_counts(struct segmentation *e, struct segmented *of, uint32_t side)
{
    const struct pixel_figures f = pixel_figures_of(&e->last[side]);
    const size_t n = e->labels.n * ((size_t)e->labels.n + 1);

    for (size_t i = 0; i < n; i++)
        e->counts[side].count[i] += e->last[side].count[i];
    of->pixels = f.pixels;
    of->right[side] = f.right;
    of->miou[side] = f.mean_iou;
    e->pixels += side ? 0 : f.pixels;
}

static enum status take(struct evaluation *base, const struct picture *p, const struct decoded *one, uint32_t side, struct err *err)
{
    struct segmentation *e = (struct segmentation *)base;
    const struct label_map *truth = one->more;
    struct segmented *of = segmented_of(e, p);
    struct label_rule rule = e->rule;
    struct label_map *m;
    enum status st;

    rule.width = truth->width;
    rule.height = truth->height;
    if ((st = label_map_of(session_output(base->sides[side].session, e->output), &e->place, &rule, &m, err)))
        return st;
    pixel_counts_clear(&e->last[side]);
    pixel_counts_add(&e->last[side], truth, m);
    add_counts(e, of, side);
    if (side) {
        of->same = pixel_counts_same(truth, e->first, m);
        e->same += of->same;
        st = segmentation_keep(e, p, e->first, m, err);
        free(m);
        return st;
    }
    free(e->first);
    e->first = m;
    if (base->n_sides == 1 && (st = segmentation_keep(e, p, m, NULL, err)))
        return st;
    return segmentation_save(e, p, m, err);
}

/* ---- the file of answers: "truth:answer:pixels,..." ---- */

static void put(const struct evaluation *base, const struct picture *p, uint32_t side, FILE *to)
{
    const struct segmentation *e = (const struct segmentation *)base;
    const uint32_t columns = e->labels.n + 1;
    const char *between = "\t";

    fprintf(to, "\t%" PRIu64, segmented_of(e, p)->same);
    for (uint32_t i = 0; i < e->labels.n; i++)
        for (uint32_t k = 0; k < columns; k++) {
            const uint64_t n = e->last[side].count[i * (size_t)columns + k];

            if (n) {
                fprintf(to, "%s%u:%u:%" PRIu64, between, i, k, n);
                between = ",";
            }
        }
    if (*between == '\t')
        fputs("\t", to);
}

static bool get_count(struct segmentation *e, uint32_t side, char *text)
{
    const char *truth = strsep(&text, ":"), *answer = text ? strsep(&text, ":") : NULL;
    int64_t i, k, n;

    if (!answer || !text || !flag_read_int(truth, 0, (int64_t)e->labels.n - 1, &i) || !flag_read_int(answer, 0, e->labels.n, &k) ||
        !flag_read_int(text, 1, MOST_PIXELS, &n))
        return false;
    e->last[side].count[(size_t)i * (e->labels.n + 1) + (size_t)k] = (uint64_t)n;
    return true;
}

static bool get(struct evaluation *base, const struct picture *p, uint32_t side, char **fields)
{
    struct segmentation *e = (struct segmentation *)base;
    struct segmented *of = segmented_of(e, p);
    char *list = fields[1];
    int64_t same;

    if (!flag_read_int(fields[0], 0, MOST_PIXELS, &same))
        return false;
    pixel_counts_clear(&e->last[side]);
    while (list && *list)
        if (!get_count(e, side, strsep(&list, ",")))
            return false;
    add_counts(e, of, side);
    if (side) {
        of->same = (uint64_t)same;
        e->same += of->same;
    }
    return true;
}

const struct eval_task segmentation_task = {.preset = "squash",
                                            .whole = true,
                                            .accept_model = accept_model,
                                            .put_key = put_key,
                                            .read_more = read_truth,
                                            .take = take,
                                            .n_fields = 2,
                                            .put = put,
                                            .get = get};
