/* SPDX-License-Identifier: Apache-2.0 */
/* non_max_suppression.c - NON_MAX_SUPPRESSION_V4 and V5: boxes by falling score, leaving out those that overlap one already chosen.
 *
 * V5 lowers the scores of boxes that overlap a little (soft suppression) and puts them back into the queue. Which of equal scores
 * comes first follows from how the queue moves them: score_heap.h. */
#include <math.h>
#include <string.h>

#include "kernels_cpu/common/move.h"
#include "kernels_cpu/common/score_heap.h"

enum { IN_BOXES, IN_SCORES, IN_MAX_OUTPUT, IN_IOU, IN_SCORE, IN_SIGMA };

/* The outputs' length; zeros fill what is not used. */
static enum status max_output(const struct node *n, int32_t *max, struct err *err)
{
    const struct tensor *t = n->in[IN_MAX_OUTPUT];
    uint32_t count;
    enum status st;

    if (t->type != TYPE_INT32)
        return cpu_bad_type(n, t, err);
    if ((st = shape_ints(t, max, 1, &count, err)))
        return st;
    return count == 1 && *max >= 0 ? ST_OK : err_set(err, ST_BAD_MODEL, "the largest number of outputs is %d", count ? *max : -1);
}

static enum status nms_shape(struct node *n, bool soft, struct err *err)
{
    const struct tensor *boxes, *scores;
    uint32_t last = soft ? 2 : 1;
    int32_t max;
    enum status st = shape_arity(n, soft ? 6 : 5, soft ? 6 : 5, last + 1, err);

    if (st)
        return st;
    boxes = n->in[IN_BOXES];
    scores = n->in[IN_SCORES];
    if (boxes->rank != 2 || boxes->dim[1] != 4 || scores->rank != 1 || scores->dim[0] != boxes->dim[0])
        return err_set(err, ST_BAD_MODEL, "boxes of rank %d and %d scores; expected [n,4] and n", boxes->rank,
                       scores->rank == 1 ? scores->dim[0] : -1);
    for (uint32_t i = IN_IOU; i < n->n_in; i++)
        if (tensor_elems(n->in[i]) != 1)
            return err_set(err, ST_BAD_MODEL, "input %u has %zu elements, must have one", i, tensor_elems(n->in[i]));
    if ((st = shape_set(n, last, boxes->dim, 0, err)) || (st = max_output(n, &max, err)))
        return st;
    for (uint32_t i = 0; i < last && !st; i++)
        st = shape_set(n, i, &max, 1, err);
    return st;
}

static enum status nms_shape_v4(struct node *n, struct err *err)
{
    return nms_shape(n, false, err);
}

static enum status nms_shape_v5(struct node *n, struct err *err)
{
    return nms_shape(n, true, err);
}

static enum status nms_prepare(struct cpu_call *c, struct err *err)
{
    (void)err;
    c->scratch_bytes = (size_t)c->node->in[IN_BOXES]->dim[0] * (sizeof(struct scored) + 2 * sizeof(int32_t) + sizeof(float));
    return ST_OK;
}

/* The boxes that wait to be looked at. */
struct queue {
    struct scored *heap;
    size_t n;
};

static float least(float a, float b)
{
    return b < a ? b : a;
}

static float most(float a, float b)
{
    return a < b ? b : a;
}

/* Intersection over union of two boxes, each two opposite corners [y, x, y, x]. */
static float overlap(const float *a, const float *b)
{
    float a_top = least(a[0], a[2]), a_bottom = most(a[0], a[2]), a_left = least(a[1], a[3]), a_right = most(a[1], a[3]);
    float b_top = least(b[0], b[2]), b_bottom = most(b[0], b[2]), b_left = least(b[1], b[3]), b_right = most(b[1], b[3]);
    float a_area = (a_bottom - a_top) * (a_right - a_left), b_area = (b_bottom - b_top) * (b_right - b_left), both, all;

    if (a_area <= 0 || b_area <= 0)
        return 0;
    both = most(least(a_bottom, b_bottom) - most(a_top, b_top), 0) * most(least(a_right, b_right) - most(a_left, b_left), 0);
    all = a_area + b_area - both;
    return all == 0 ? 0 : both / all;
}

struct nms {
    const float *boxes;
    float iou_threshold, score_threshold, sigma; /* sigma 0: no soft suppression */
    int32_t *seen;                               /* of each box: how many of the chosen boxes it has been held against */
    int32_t *chosen;
    float *chosen_scores;
    int32_t n_chosen;
};

/* Compare a candidate with the boxes chosen since it was last compared; its score may fall. Return false if it is suppressed. */
static bool survives(const struct nms *s, struct scored *c)
{
    const float scale = s->sigma > 0 ? -0.5f / s->sigma : 0;

    for (int32_t i = s->n_chosen - 1; i >= s->seen[c->index]; i--) {
        float iou = overlap(s->boxes + 4 * (size_t)c->index, s->boxes + 4 * (size_t)s->chosen[i]);

        if (iou >= s->iou_threshold)
            return false;
        if (s->sigma > 0)
            c->score *= expf(scale * iou * iou);
        if (c->score <= s->score_threshold)
            break;
    }
    s->seen[c->index] = s->n_chosen;
    return true;
}

/* A box whose score fell goes back into the queue; one just chosen does too, as in TFLite, where it then overlaps itself. */
static void choose(struct nms *s, struct queue *q, int32_t max)
{
    int32_t limit = q->n < (size_t)max ? (int32_t)q->n : max;

    while (s->n_chosen < limit && q->n) {
        struct scored c = score_heap_pop(q->heap, q->n--);
        float before = c.score;

        if (!survives(s, &c))
            continue;
        if (c.score == before) {
            s->chosen[s->n_chosen] = c.index;
            s->chosen_scores[s->n_chosen++] = c.score;
        }
        if (c.score > s->score_threshold)
            score_heap_push(q->heap, q->n++, c);
    }
}

static void put(struct tensor *y, const void *data, int32_t n)
{
    if (!y->bytes)
        return;
    memset(y->data, 0, y->bytes);
    memcpy(y->data, data, (size_t)n * 4);
}

static float scalar(const struct node *n, uint32_t i)
{
    return *(const float *)n->in[i]->data;
}

static enum status nms_run(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    int32_t boxes = n->in[IN_BOXES]->dim[0], max;
    const float *scores = n->in[IN_SCORES]->data;
    struct queue q = {.heap = c->scratch};
    struct nms s = {.boxes = n->in[IN_BOXES]->data,
                    .iou_threshold = scalar(n, IN_IOU),
                    .score_threshold = scalar(n, IN_SCORE),
                    .sigma = n->n_in == 6 ? scalar(n, IN_SIGMA) : 0};
    enum status st = max_output(n, &max, err);

    if (st)
        return st;
    if (s.sigma < 0)
        return err_set(err, ST_BAD_MODEL, "sigma is %g", (double)s.sigma);
    s.seen = (int32_t *)(q.heap + boxes);
    s.chosen = s.seen + boxes;
    s.chosen_scores = (float *)(s.chosen + boxes);
    for (int32_t i = 0; i < boxes; i++)
        if (scores[i] > s.score_threshold)
            score_heap_push(q.heap, q.n++, (struct scored){scores[i], i});
    if (boxes > 0)
        memset(s.seen, 0, (size_t)boxes * sizeof *s.seen);
    choose(&s, &q, max);
    put(n->out[0], s.chosen, s.n_chosen);
    if (n->n_out == 3)
        put(n->out[1], s.chosen_scores, s.n_chosen);
    *(int32_t *)n->out[n->n_out - 1]->data = s.n_chosen;
    return ST_OK;
}

const struct cpu_kernel cpu_nms_v4 = {.shape = nms_shape_v4,
                                      .in = {CPU_F32, CPU_F32, 0, CPU_F32, CPU_F32},
                                      .out = {CPU_I32, CPU_I32},
                                      .prepare = nms_prepare,
                                      .run = nms_run};
const struct cpu_kernel cpu_nms_v5 = {.shape = nms_shape_v5,
                                      .in = {CPU_F32, CPU_F32, 0, CPU_F32, CPU_F32, CPU_F32},
                                      .out = {CPU_I32, CPU_F32, CPU_I32},
                                      .prepare = nms_prepare,
                                      .run = nms_run};
