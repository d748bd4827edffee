/* SPDX-License-Identifier: Apache-2.0 */
/* detection_postprocess.c - TFLite_Detection_PostProcess: from box encodings, class scores and anchors to detections.
 *
 * Boxes are decoded from center and size relative to their anchors. The fast way suppresses overlaps once, each anchor with
 * its best class; the regular way suppresses per class and merges what is left. */
#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/common/score_heap.h"
#include "kernels_cpu/quant/fixed_point.h"

#include "lib/base/flexbuffer.h"
#include "lib/graph/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOXES, SCORES, ANCHORS };
enum { DETECTED_BOXES, DETECTED_CLASSES, DETECTED_SCORES, COUNT };

struct box {
    float ymin, xmin, ymax, xmax;
};

struct detection {
    int32_t max_detections, max_classes, per_class, classes;
    bool regular;
    float score_threshold, iou_threshold;
    float scale[4];                     /* y, x, h, w */
    int32_t n_boxes, n_columns, offset; /* columns: classes and perhaps, before them, the background */
    size_t boxes_at, scores_at, ranked_at, classes_at, selected_at, merged_at, spare_at; /* in scratch */
};

static enum status read_options(const struct node *n, struct detection *d, struct err *err)
{
    static const char *const scales[] = {"y_scale", "x_scale", "h_scale", "w_scale"};
    struct flex_map m;
    enum status st = flex_open(n->custom, n->n_custom, &m, err);

    if (st)
        return st;
    *d = (struct detection){
        .max_detections = flex_int(&m, "max_detections", 0),
        .max_classes = flex_int(&m, "max_classes_per_detection", 0),
        .per_class = flex_int(&m, "detections_per_class", 100),
        .classes = flex_int(&m, "num_classes", 0),
        .regular = flex_number(&m, "use_regular_nms", 0) != 0,
        .score_threshold = (float)flex_number(&m, "nms_score_threshold", 0),
        .iou_threshold = (float)flex_number(&m, "nms_iou_threshold", 0),
    };
    for (int i = 0; i < 4; i++)
        d->scale[i] = (float)flex_number(&m, scales[i], 0);
    if (d->max_detections < 0 || d->max_classes < 0 || d->per_class < 0 || d->classes < 1 || d->max_detections > INT32_MAX / 8 ||
        (d->max_classes && d->max_detections > INT32_MAX / d->max_classes))
        return err_set(err, ST_BAD_MODEL, "%d detections at most, %d classes each, of %d classes, %d per class, are out of range",
                       d->max_detections, d->max_classes, d->classes, d->per_class);
    if (!(d->iou_threshold > 0 && d->iou_threshold <= 1))
        return err_set(err, ST_BAD_MODEL, "nms_iou_threshold is %g, expected above 0 and up to 1", (double)d->iou_threshold);
    if (d->regular ? d->per_class < 1 : d->max_classes < 1)
        return err_set(err, ST_BAD_MODEL, "no detections or no classes per detection are asked for");
    return ST_OK;
}

static enum status detection_shape(struct node *n, struct err *err)
{
    enum status st;
    const struct tensor *boxes = n->in[BOXES], *scores = n->in[SCORES], *anchors = n->in[ANCHORS];
    struct detection d;
    int32_t detected;

    if ((st = read_options(n, &d, err)))
        return st;
    if (boxes->rank != 3 || boxes->dim[0] != 1 || boxes->dim[2] < 4)
        return err_set(err, ST_BAD_MODEL, "box encodings are %s, expected [1,boxes,4]", TENSOR_TEXT(boxes));
    if (anchors->rank != 2 || anchors->dim[0] != boxes->dim[1] || anchors->dim[1] != 4)
        return err_set(err, ST_BAD_MODEL, "anchors are %s, expected [%d,4]", TENSOR_TEXT(anchors), boxes->dim[1]);
    if (scores->rank != 3 || scores->dim[0] != 1 || scores->dim[1] != boxes->dim[1] || scores->dim[2] < d.classes ||
        scores->dim[2] - d.classes > 1)
        return err_set(err, ST_BAD_MODEL, "scores are %s, expected [1,%d,%d], or one more for the background", TENSOR_TEXT(scores),
                       boxes->dim[1], d.classes);
    if (tensor_elems(scores) > INT32_MAX)
        return err_set(err, ST_UNSUPPORTED, "scores are %s, more than 2^31", TENSOR_TEXT(scores));
    detected = d.max_detections * d.max_classes;
    if ((st = shape_set(n, DETECTED_BOXES, (int32_t[]){1, detected, 4}, 3, err)) ||
        (st = shape_set(n, DETECTED_CLASSES, (int32_t[]){1, detected}, 2, err)) ||
        (st = shape_set(n, DETECTED_SCORES, (int32_t[]){1, detected}, 2, err)))
        return st;
    return shape_set(n, COUNT, (int32_t[]){1}, 1, err);
}

static enum status detection_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    struct layout l = {0};
    struct detection *d;
    size_t boxes = (size_t)n->in[BOXES]->dim[1];
    enum status st;

    if (n->in[BOXES]->type != n->in[ANCHORS]->type)
        return err_set(err, ST_BAD_MODEL, "boxes are %s, anchors %s", TENSOR_TEXT(n->in[BOXES]), TENSOR_TEXT(n->in[ANCHORS]));
    if ((st = cpu_pack(c, sizeof *d, err)))
        return st;
    d = c->packed;
    if ((st = read_options(n, d, err)))
        return st;
    d->n_boxes = n->in[BOXES]->dim[1];
    d->n_columns = n->in[SCORES]->dim[2];
    d->offset = d->n_columns - d->classes;
    d->boxes_at = layout_add(&l, boxes, sizeof(struct box));
    d->scores_at = layout_add(&l, boxes * (size_t)d->n_columns, sizeof(float));
    d->ranked_at = layout_add(&l, boxes, sizeof(struct scored));
    d->classes_at = layout_add(&l, boxes ? (size_t)d->classes : 0, sizeof(struct scored));
    d->selected_at = layout_add(&l, boxes, sizeof(int32_t));
    d->merged_at = layout_add(&l, (size_t)d->max_detections, sizeof(struct scored));
    d->spare_at = layout_add(&l, (size_t)d->max_detections, sizeof(struct scored));
    c->scratch_bytes = l.bytes;
    return ST_OK;
}

/* ---- decoding ---- */

static float real_at(const struct tensor *t, size_t i)
{
    if (t->type == TYPE_FLOAT32)
        return ((const float *)t->data)[i];
    return ((float)((const uint8_t *)t->data)[i] - (float)quant_zero(t)) * quant_scale(t);
}

static struct box decode(const struct node *n, const struct detection *d, size_t i)
{
    double e[4], a[4];
    float y, x, half_h, half_w;

    for (size_t k = 0; k < 4; k++) {
        e[k] = (double)real_at(n->in[BOXES], i * (size_t)n->in[BOXES]->dim[2] + k) / (double)d->scale[k];
        a[k] = (double)real_at(n->in[ANCHORS], i * 4 + k);
    }
    y = (float)(e[0] * a[2] + a[0]);
    x = (float)(e[1] * a[3] + a[1]);
    half_h = (float)(0.5 * exp(e[2]) * a[2]);
    half_w = (float)(0.5 * exp(e[3]) * a[3]);
    return (struct box){y - half_h, x - half_w, y + half_h, x + half_w};
}

static enum status decode_all(const struct node *n, const struct detection *d, struct box *boxes, struct err *err)
{
    for (int32_t i = 0; i < d->n_boxes; i++) {
        boxes[i] = decode(n, d, (size_t)i);
        if (boxes[i].ymin > boxes[i].ymax || boxes[i].xmin > boxes[i].xmax)
            return err_set(err, ST_FAILED, "box %d has a negative size", i);
    }
    return ST_OK;
}

/* ---- suppression ---- */

static float larger(float a, float b)
{
    return a < b ? b : a;
}

static float smaller(float a, float b)
{
    return b < a ? b : a;
}

static float overlap(const struct box *a, const struct box *b)
{
    float area_a = (a->ymax - a->ymin) * (a->xmax - a->xmin), area_b = (b->ymax - b->ymin) * (b->xmax - b->xmin), common;

    if (area_a <= 0 || area_b <= 0)
        return 0;
    common = larger(smaller(a->ymax, b->ymax) - larger(a->ymin, b->ymin), 0) *
             larger(smaller(a->xmax, b->xmax) - larger(a->xmin, b->xmin), 0);
    return common / (area_a + area_b - common);
}

/* By falling score; equal ones in the order of their boxes. */
static int by_score(const void *a, const void *b)
{
    const struct scored *x = a, *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Keep greedily up to `most` of the boxes whose score (ranked[i] of box i) reaches the threshold. Return their number. */
static int32_t suppress(const struct detection *d, const struct box *boxes, struct scored *ranked, int32_t most, int32_t *selected)
{
    int32_t n = 0, kept = 0;

    for (int32_t i = 0; i < d->n_boxes; i++)
        if (ranked[i].score >= d->score_threshold)
            ranked[n++] = ranked[i];
    if (n > 0)
        qsort(ranked, (size_t)n, sizeof *ranked, by_score);
    for (int32_t i = 0; i < n && kept < most; i++) {
        bool hidden = false;

        for (int32_t k = 0; k < kept && !hidden; k++)
            hidden = overlap(&boxes[selected[k]], &boxes[ranked[i].index]) > d->iou_threshold;
        if (!hidden)
            selected[kept++] = ranked[i].index;
    }
    return kept;
}

/* ---- the two ways ---- */

struct outputs {
    struct box *boxes;
    float *classes, *scores;
};

static void put(const struct outputs *o, int32_t at, struct box box, int32_t class, float score)
{
    o->boxes[at] = box;
    o->classes[at] = (float)class;
    o->scores[at] = score;
}

/* Ranks the classes of a box. One class is the first of the best; several come in the order of TFLite's partial sort. */
static void rank_classes(const float *scores, int32_t n, int32_t best, struct scored *ranked)
{
    for (int32_t i = 0; i < n; i++)
        ranked[i] = (struct scored){scores[i], i};
    if (best > 1)
        score_partial_sort(ranked, (size_t)n, (size_t)best);
    else
        for (int32_t i = 1; i < n; i++)
            if (ranked[i].score > ranked[0].score)
                ranked[0] = ranked[i];
}

static int32_t detect_fast(const struct detection *d, const struct box *boxes, const float *scores, char *scratch,
                           const struct outputs *o)
{
    struct scored *ranked = (struct scored *)(scratch + d->ranked_at), *class = (struct scored *)(scratch + d->classes_at);
    int32_t *selected = (int32_t *)(scratch + d->selected_at), n;
    int32_t classes = d->max_classes < d->classes ? d->max_classes : d->classes;

    for (int32_t b = 0; b < d->n_boxes; b++) {
        const float *s = scores + (size_t)b * (size_t)d->n_columns + d->offset;

        rank_classes(s, d->classes, classes, class);
        ranked[b] = (struct scored){class[0].score, b};
    }
    n = suppress(d, boxes, ranked, d->max_detections, selected);
    for (int32_t i = 0; i < n; i++) {
        rank_classes(scores + (size_t)selected[i] * (size_t)d->n_columns + d->offset, d->classes, classes, class);
        for (int32_t k = 0; k < classes; k++)
            put(o, d->max_classes * i + k, boxes[selected[i]], class[k].index, class[k].score);
    }
    return n;
}

/* Merges b, sorted by score, into a, likewise sorted; a's come first among equals. Keeps the best `most`. */
static int32_t merge(struct scored *a, int32_t n_a, const struct scored *b, int32_t n_b, int32_t most, struct scored *spare)
{
    int32_t n = 0;

    for (int32_t i = 0, j = 0; n < most && (i < n_a || j < n_b); n++)
        spare[n] = j == n_b || (i < n_a && a[i].score >= b[j].score) ? a[i++] : b[j++];
    if (n > 0)
        memcpy(a, spare, (size_t)n * sizeof *a);
    return n;
}

static int32_t detect_regular(const struct detection *d, const struct box *boxes, const float *scores, char *scratch,
                              const struct outputs *o)
{
    struct scored *ranked = (struct scored *)(scratch + d->ranked_at), *merged = (struct scored *)(scratch + d->merged_at);
    int32_t *selected = (int32_t *)(scratch + d->selected_at), n = 0;
    int32_t most = d->per_class < d->max_detections ? d->per_class : d->max_detections;

    for (int32_t class = 0; class < d->classes; class ++) {
        const float *s = scores + d->offset + class;
        int32_t kept;

        for (int32_t b = 0; b < d->n_boxes; b++)
            ranked[b] = (struct scored){s[(size_t)b * (size_t)d->n_columns], b};
        kept = suppress(d, boxes, ranked, most, selected);
        for (int32_t i = 0; i < kept; i++)
            ranked[i] = (struct scored){s[(size_t)selected[i] * (size_t)d->n_columns],
                                        selected[i] * d->n_columns + d->offset + class};
        n = merge(merged, n, ranked, kept, d->max_detections, (struct scored *)(scratch + d->spare_at));
    }
    for (int32_t i = 0; i < n && i < d->max_detections * d->max_classes; i++)
        put(o, i, boxes[merged[i].index / d->n_columns], merged[i].index % d->n_columns - d->offset, merged[i].score);
    return n;
}

static enum status detection_run(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct detection *d = c->packed;
    struct box *boxes = (struct box *)((char *)c->scratch + d->boxes_at);
    float *scores = (float *)((char *)c->scratch + d->scores_at);
    const struct outputs o = {n->out[DETECTED_BOXES]->data, n->out[DETECTED_CLASSES]->data, n->out[DETECTED_SCORES]->data};
    enum status st = decode_all(n, d, boxes, err);
    int32_t found;

    if (st)
        return st;
    for (size_t i = 0; i < (size_t)d->n_boxes * (size_t)d->n_columns; i++)
        scores[i] = real_at(n->in[SCORES], i);
    for (uint32_t i = 0; i < 3; i++)
        if (n->out[i]->bytes)
            memset(n->out[i]->data, 0, n->out[i]->bytes);
    found = (d->regular ? detect_regular : detect_fast)(d, boxes, scores, c->scratch, &o);
    *(float *)n->out[COUNT]->data = (float)found;
    return ST_OK;
}

#define FLOATS (CPU_F32 | 1u << TYPE_UINT8)

const struct cpu_kernel cpu_detection_postprocess = {.arity = {3, 3, 4},
                                                     .shape = detection_shape,
                                                     .in = {FLOATS, FLOATS, FLOATS},
                                                     .out = {CPU_F32, CPU_F32, CPU_F32, CPU_F32},
                                                     .prepare = detection_prepare,
                                                     .run = detection_run};
