/* SPDX-License-Identifier: Apache-2.0 */
/* detector_decode.c - from the numbers of outputs to boxes of the picture; suppression of those that overlap. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/eval/detector.h"
#include "lib/tensor/real_values.h"

/* Boxes with the largest scores that are looked at for overlaps, as in Ultralytics' validation. */
enum { MOST_CANDIDATES = 30000 };

static bool add_found(struct detector *d, const struct coco_box *box, double score, uint32_t class)
{
    if (d->n_found == d->room) {
        const size_t room = d->room ? 2 * d->room : 512;
        struct detector_found *larger = realloc(d->found, room * sizeof *larger);

        if (!larger)
            return false;
        d->found = larger;
        d->room = room;
    }
    d->found[d->n_found++] = (struct detector_found){*box, score, class};
    return true;
}

/* ---- one box ---- */

/* Corners in the units of the output become left, top and sides in pixels of the picture. */
static struct coco_box place(const struct detector *d, const struct detector_picture *p, double x0, double y0, double x1, double y1)
{
    const double wide = d->units == UNITS_NORMALIZED ? p->input.width : 1,
                 high = d->units == UNITS_NORMALIZED ? p->input.height : 1;

    x0 = (x0 * wide - p->map.left) / p->map.scale_x;
    x1 = (x1 * wide - p->map.left) / p->map.scale_x;
    y0 = (y0 * high - p->map.top) / p->map.scale_y;
    y1 = (y1 * high - p->map.top) / p->map.scale_y;
    return (struct coco_box){x0, y0, x1 - x0, y1 - y0};
}

/* Corner and size of cell i, of strides 8, 16 and 32, row by row. */
static void cell_of(const struct preprocess_input *in, uint32_t i, double *x, double *y, double *stride)
{
    for (uint32_t s = 8; s <= 32; s *= 2) {
        const uint32_t wide = in->width / s, n = wide * (in->height / s);

        *stride = s;
        if (i < n) {
            *x = i % wide;
            *y = i / wide; /* NOLINT(bugprone-integer-division): of whole cells */
            return;
        }
        i -= n;
    }
    *x = *y = 0;
}

/* Four numbers of box i at its place in an output; false: not all are finite. */
static bool read_box(struct detector *d, const struct detector_picture *p, const double v[4], uint32_t i, struct coco_box *out)
{
    double x0 = v[0], y0 = v[1], x1 = v[2], y1 = v[3], x, y, stride;

    if (d->head == DETECTOR_YOLOX) {
        cell_of(&p->input, i, &x, &y, &stride);
        x0 = (v[0] + x) * stride;
        y0 = (v[1] + y) * stride;
        x1 = exp(v[2]) * stride;
        y1 = exp(v[3]) * stride;
    }
    if (d->head == DETECTOR_TFLITE) {
        *out = place(d, p, v[1], v[0], v[3], v[2]);
    } else if (d->head == DETECTOR_NMS_FREE) {
        *out = place(d, p, x0, y0, x1, y1);
    } else {
        *out = place(d, p, x0 - x1 / 2, y0 - y1 / 2, x0 + x1 / 2, y0 + y1 / 2);
    }
    if (isfinite(out->x) && isfinite(out->y) && isfinite(out->w) && isfinite(out->h))
        return true;
    d->n_nan++;
    return false;
}

static double score_of(const struct detector *d, double v)
{
    return d->scores == SCORES_SIGMOID ? 1 / (1 + exp(-v)) : v;
}

/* A score that is no number is counted, and none. */
static bool is_enough(struct detector *d, double score)
{
    d->n_nan += !isfinite(score);
    return isfinite(score) && score >= d->min_score;
}

/* ---- heads ---- */

static enum status no_memory(const struct detector *d, struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for %zu detections of a picture", d->n_found);
}

static enum status decode_tflite(struct detector *d, const struct tensor *const *outputs, const struct detector_picture *p,
                                 struct err *err)
{
    const struct tensor *boxes = outputs[d->output[DETECTOR_BOXES]], *classes = outputs[d->output[DETECTOR_CLASSES]];
    const struct tensor *scores = outputs[d->output[DETECTOR_SCORES]];
    const struct tensor *count = d->output[DETECTOR_COUNT] == DETECTOR_NONE ? NULL : outputs[d->output[DETECTOR_COUNT]];
    const size_t room = tensor_elems(classes);
    const double given = count && tensor_elems(count) ? real_value(count, 0) : (double)room;
    const size_t n = given >= 0 && given < (double)room ? (size_t)given : room;

    if (tensor_elems(boxes) != 4 * room || tensor_elems(scores) != room)
        return err_set(err, ST_USAGE, "boxes are %s, classes %s, scores %s: their numbers do not match", TENSOR_TEXT(boxes),
                       TENSOR_TEXT(classes), TENSOR_TEXT(scores));
    if (!(given >= 0 && given <= (double)room))
        return err_set(err, ST_USAGE, "the count of detections is %g, where there is room for %zu", given, room);
    for (uint32_t i = 0; i < n; i++) {
        const double score = score_of(d, real_value(scores, i)), class = real_value(classes, i);
        double v[4];
        struct coco_box box;

        for (uint32_t k = 0; k < 4; k++)
            v[k] = real_value(boxes, 4 * (size_t)i + k);
        d->n_nan += !isfinite(class);
        if (is_enough(d, score) && class >= 0 && class < UINT32_MAX && read_box(d, p, v, i, &box) &&
            !add_found(d, &box, score, (uint32_t) class))
            return no_memory(d, err);
    }
    return ST_OK;
}

/* Each box with each class whose score is enough. */
static enum status decode_one(struct detector *d, const struct tensor *t, const struct detector_picture *p, struct err *err)
{
    const uint32_t before = d->head == DETECTOR_YOLO ? 4 : 5;
    const size_t box_step = d->channels_first ? 1 : before + d->n_classes, step = d->channels_first ? d->n_boxes : 1;

    if (tensor_elems(t) != (size_t)d->n_boxes * (before + d->n_classes))
        return err_set(err, ST_USAGE, "output '%.100s' %s is shaped otherwise than in the first run", t->name, TENSOR_TEXT(t));
    for (uint32_t i = 0; i < d->n_boxes; i++) {
        const size_t at = i * box_step;
        const double object = before == 5 ? score_of(d, real_value(t, at + 4 * step)) : 1;
        struct coco_box box;
        bool placed = false;

        for (uint32_t c = 0; c < d->n_classes; c++) {
            const double score = object * score_of(d, real_value(t, at + (before + c) * step));

            if (!is_enough(d, score))
                continue;
            if (!placed) {
                double v[4];

                for (uint32_t k = 0; k < 4; k++)
                    v[k] = real_value(t, at + k * step);
                if (!read_box(d, p, v, i, &box))
                    break;
                placed = true;
            }
            if (!add_found(d, &box, score, c))
                return no_memory(d, err);
        }
    }
    return ST_OK;
}

static enum status decode_nms_free(struct detector *d, const struct tensor *t, const struct detector_picture *p, struct err *err)
{
    if (tensor_elems(t) != 6 * (size_t)d->n_boxes)
        return err_set(err, ST_USAGE, "output '%.100s' %s is shaped otherwise than in the first run", t->name, TENSOR_TEXT(t));
    for (uint32_t i = 0; i < d->n_boxes; i++) {
        double v[6];
        struct coco_box box;

        for (uint32_t k = 0; k < 6; k++)
            v[k] = real_value(t, 6 * (size_t)i + k);
        d->n_nan += !isfinite(v[5]);
        if (is_enough(d, score_of(d, v[4])) && v[5] >= 0 && v[5] < UINT32_MAX && read_box(d, p, v, i, &box) &&
            !add_found(d, &box, score_of(d, v[4]), (uint32_t)v[5]))
            return no_memory(d, err);
    }
    return ST_OK;
}

/* The best class of a query but the last, which is "none". */
static double softmax_best(const struct tensor *t, size_t at, uint32_t n, uint32_t *class)
{
    double most = -INFINITY, best = -INFINITY, sum = 0;

    for (uint32_t c = 0; c < n; c++) {
        const double v = real_value(t, at + c);

        if (isnan(v))
            return NAN;
        most = fmax(most, v);
        if (c + 1 < n && v > best) {
            best = v;
            *class = c;
        }
    }
    for (uint32_t c = 0; c < n; c++)
        sum += exp(real_value(t, at + c) - most);
    return exp(best - most) / sum;
}

static enum status decode_detr(struct detector *d, const struct tensor *const *outputs, const struct detector_picture *p,
                               struct err *err)
{
    const struct tensor *boxes = outputs[d->output[DETECTOR_BOXES]], *scores = outputs[d->output[DETECTOR_SCORES]];

    if (tensor_elems(boxes) != 4 * (size_t)d->n_boxes || tensor_elems(scores) != (size_t)d->n_boxes * d->n_classes)
        return err_set(err, ST_USAGE, "boxes are %s, scores %s, otherwise than in the first run", TENSOR_TEXT(boxes),
                       TENSOR_TEXT(scores));
    for (uint32_t i = 0; i < d->n_boxes; i++) {
        double v[4];
        struct coco_box box;

        for (uint32_t k = 0; k < 4; k++)
            v[k] = real_value(boxes, 4 * (size_t)i + k);
        if (!read_box(d, p, v, i, &box))
            continue;
        if (d->scores == SCORES_SOFTMAX) {
            uint32_t class = 0;
            const double score = softmax_best(scores, (size_t)i * d->n_classes, d->n_classes, &class);

            if (is_enough(d, score) && !add_found(d, &box, score, class))
                return no_memory(d, err);
            continue;
        }
        for (uint32_t c = 0; c < d->n_classes; c++) {
            const double score = score_of(d, real_value(scores, (size_t)i * d->n_classes + c));

            if (is_enough(d, score) && !add_found(d, &box, score, c))
                return no_memory(d, err);
        }
    }
    return ST_OK;
}

/* ---- order and overlaps ---- */

/* By score, and in the order of the output among equals, which their places in memory give before the sort. */
struct ranked {
    double score;
    size_t at;
};

static int by_score(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static bool sort_found(struct detector *d)
{
    struct ranked *order = malloc((d->n_found + 1) * sizeof *order);
    struct detector_found *sorted = malloc((d->n_found + 1) * sizeof *sorted);
    const bool ok = order && sorted;

    for (size_t i = 0; ok && i < d->n_found; i++)
        order[i] = (struct ranked){d->found[i].score, i};
    if (ok && d->n_found) {
        qsort(order, d->n_found, sizeof *order, by_score);
        for (size_t i = 0; i < d->n_found; i++)
            sorted[i] = d->found[order[i].at];
        memcpy(d->found, sorted, d->n_found * sizeof *sorted);
    }
    free(order);
    free(sorted);
    return ok;
}

static void clip(struct coco_box *b, double width, double height)
{
    const double right = fmin(fmax(b->x + b->w, 0), width), low = fmin(fmax(b->y + b->h, 0), height);

    b->x = fmin(fmax(b->x, 0), width);
    b->y = fmin(fmax(b->y, 0), height);
    b->w = right - b->x;
    b->h = low - b->y;
}

/* Of boxes of one class that overlap the first stays; at most d->most do. */
static void suppress(struct detector *d)
{
    const size_t n = d->n_found < MOST_CANDIDATES ? d->n_found : MOST_CANDIDATES;
    size_t kept = 0;

    for (size_t i = 0; i < n && kept < d->most; i++) {
        const struct detector_found one = d->found[i];
        bool covered = false;

        for (size_t k = 0; k < kept && !covered; k++)
            covered = d->found[k].class == one.class && coco_iou(&one.box, &d->found[k].box, false) > d->nms_iou;
        if (!covered)
            d->found[kept++] = one;
    }
    d->n_found = kept;
}

enum status detector_decode(struct detector *d, const struct tensor *const *outputs, const struct detector_picture *p,
                            struct err *err)
{
    const struct tensor *first = outputs[d->output[DETECTOR_BOXES]];
    const bool overlaps = d->head == DETECTOR_YOLO || d->head == DETECTOR_YOLOV5 || d->head == DETECTOR_YOLOX;
    enum status st;

    d->n_found = 0;
    switch (d->head) {
    case DETECTOR_TFLITE: st = decode_tflite(d, outputs, p, err); break;
    case DETECTOR_DETR: st = decode_detr(d, outputs, p, err); break;
    case DETECTOR_NMS_FREE: st = decode_nms_free(d, first, p, err); break;
    default: st = decode_one(d, first, p, err); break;
    }
    if (st)
        return st;
    if (!sort_found(d))
        return no_memory(d, err);
    if (overlaps)
        suppress(d);
    else if (d->n_found > d->most)
        d->n_found = d->most;
    for (size_t i = 0; i < d->n_found && p->clip; i++)
        clip(&d->found[i].box, p->width, p->height);
    return ST_OK;
}
