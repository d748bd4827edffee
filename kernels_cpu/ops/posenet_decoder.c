/* SPDX-License-Identifier: Apache-2.0 */
/* posenet_decoder.c - Coral's PosenetDecoderOp: from heatmaps and offsets to the poses of people, and which of them each pixel
 * belongs to (PersonLab, Papandreou et al. 2018).
 *
 * The best keypoints not near a known pose are roots; from a root, offsets lead along the edges of the body to the others.
 * Positions count heatmap cells until they are written. */
#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/quant/quant_check.h"
#include "lib/base/flexbuffer.h"
#include "lib/graph/kernel.h"

#include <math.h>
#include <string.h>

enum { HEATMAPS, SHORTS, MIDS, LONGS, INPUTS };
enum { KEYPOINTS, KEYPOINT_SCORES, SCORES, COUNT, MASKS };
enum { PARTS = 17, EDGES = 16, MID_STEPS = 5, LONG_STEPS = 2, MASK_SIZE = 33 };

/* The body's edges; the second half of the graph's are these, backwards. */
static const uint8_t edges[EDGES][2] = {
    {0, 1},   {1, 3},   {0, 2}, {2, 4}, {0, 5},  {5, 7},  {7, 9},   {5, 11},
    {11, 13}, {13, 15}, {0, 6}, {6, 8}, {8, 10}, {6, 12}, {12, 14}, {14, 16},
};

struct point {
    float y, x;
};
struct keypoint {
    struct point at;
    float score;
    int32_t part;
};
struct pose {
    struct point at[PARTS];
    float score[PARTS], total;
};

struct decoder {
    int32_t max_poses, stride, height, width;
    float threshold, nms_radius;              /* the radius in cells */
    size_t maps[INPUTS], queue, poses, order; /* offsets in scratch */
};

/* A map [height, width, channels] of floats. */
struct map {
    const float *v;
    int32_t height, width, channels;
};

/* ---- a heap of keypoints, best first ----
 *
 * 8-bit scores are often equal, so which of them comes out first matters: elements move as those of C++'s standard heaps do. */

static void heap_rise(struct keypoint *heap, size_t at, struct keypoint k)
{
    while (at > 0 && heap[(at - 1) / 2].score < k.score) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = k;
}

static struct keypoint heap_pop(struct keypoint *heap, size_t *n)
{
    const struct keypoint best = heap[0], last = heap[--*n];
    size_t at = 0, child;

    /* the gap sinks to the bottom, then the last element rises from there */
    while ((child = 2 * at + 2) < *n) {
        child -= heap[child].score < heap[child - 1].score;
        heap[at] = heap[child];
        at = child;
    }
    if (child == *n) {
        heap[at] = heap[child - 1];
        at = child - 1;
    }
    if (*n)
        heap_rise(heap, at, last);
    return best;
}

/* ---- sampling ---- */

static float clamp(float v, float hi)
{
    return v < 0 ? 0 : hi < v ? hi : v;
}

struct span {
    size_t floor, ceil;
    float lerp;
};

static struct span span(float v, int32_t n)
{
    float inside = clamp(v, (float)n - 1.0f);

    if (!(inside >= 0)) /* NaN */
        return (struct span){0, 0, v};
    return (struct span){(size_t)floorf(inside), (size_t)ceilf(inside), v - floorf(inside)};
}

static float sample(const struct map *m, struct point p, size_t channel)
{
    const struct span y = span(p.y, m->height), x = span(p.x, m->width);
    size_t row = (size_t)m->width * (size_t)m->channels, cell = (size_t)m->channels;
    const float *top = m->v + y.floor * row + channel, *bottom = m->v + y.ceil * row + channel;

    return (1 - y.lerp) * ((1 - x.lerp) * top[x.floor * cell] + x.lerp * top[x.ceil * cell]) +
           y.lerp * ((1 - x.lerp) * bottom[x.floor * cell] + x.lerp * bottom[x.ceil * cell]);
}

/* Moves by the offsets in these two channels. */
static struct point displaced(const struct map *m, struct point p, size_t y_channel, size_t x_channel)
{
    const float dy = sample(m, p, y_channel), dx = sample(m, p, x_channel);

    return (struct point){clamp(p.y + dy, (float)m->height - 1.0f), clamp(p.x + dx, (float)m->width - 1.0f)};
}

static float distance2(struct point a, struct point b)
{
    const float dy = b.y - a.y, dx = b.x - a.x;

    return dy * dy + dx * dx;
}

/* ---- roots ---- */

static bool local_maximum(const struct map *heat, int32_t y, int32_t x, size_t part)
{
    const size_t cell = (size_t)heat->channels;
    const float score = heat->v[((size_t)y * (size_t)heat->width + (size_t)x) * cell + part];

    for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < heat->height; v++)
        for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < heat->width; u++)
            if (heat->v[((size_t)v * (size_t)heat->width + (size_t)u) * cell + part] > score)
                return false;
    return true;
}

/* Every keypoint that is likely enough and the best of its neighbourhood. */
static size_t find_roots(const struct map *heat, const struct map *shorts, float threshold, struct keypoint *heap)
{
    const float logit = (float)-log(1 / ((double)threshold + 1e-6) - 1);
    size_t n = 0;

    for (int32_t y = 0; y < heat->height; y++)
        for (int32_t x = 0; x < heat->width; x++) {
            const size_t cell = (size_t)y * (size_t)heat->width + (size_t)x;
            const float *score = heat->v + cell * PARTS, *offset = shorts->v + cell * 2 * PARTS;

            for (size_t part = 0; part < PARTS; part++)
                if (score[part] >= logit && local_maximum(heat, y, x, part)) {
                    const struct point at = {clamp((float)y + offset[part], (float)heat->height - 1.0f),
                                             clamp((float)x + offset[PARTS + part], (float)heat->width - 1.0f)};

                    heap_rise(heap, n, (struct keypoint){at, score[part], (int32_t)part});
                    n++;
                }
        }
    return n;
}

static bool near_known(const struct pose *poses, size_t n, const struct keypoint *k, float radius2)
{
    for (size_t i = 0; i < n; i++)
        if (distance2(k->at, poses[i].at[k->part]) <= radius2)
            return true;
    return false;
}

/* ---- one pose ---- */

/* Along edge `edge` (from EDGES on: backwards) to `part`, then on by the short offsets there. */
static struct keypoint follow(const struct map maps[INPUTS], struct point from, size_t edge, size_t part)
{
    const size_t channel = edge < EDGES ? edge : edge + EDGES;
    struct keypoint k = {.at = displaced(&maps[MIDS], from, channel, channel + EDGES), .part = (int32_t)part};

    for (int i = 0; i < MID_STEPS; i++)
        k.at = displaced(&maps[SHORTS], k.at, part, PARTS + part);
    k.score = sample(&maps[HEATMAPS], k.at, part);
    return k;
}

static void decode_pose(const struct map maps[INPUTS], struct keypoint root, struct pose *pose)
{
    struct keypoint heap[1 + 2 * EDGES];
    bool known[PARTS] = {false};
    size_t n = 1;

    root.score = sample(&maps[HEATMAPS], root.at, (size_t)root.part);
    heap[0] = root;
    while (n) {
        const struct keypoint k = heap_pop(heap, &n);

        if (known[k.part])
            continue;
        known[k.part] = true;
        pose->at[k.part] = k.at;
        pose->score[k.part] = 1.0f / (1.0f + expf(-k.score));
        for (size_t e = 0; e < 2 * EDGES; e++) {
            const uint8_t *edge = edges[e % EDGES], from = edge[e / EDGES], to = edge[1 - e / EDGES];

            if (from == k.part && !known[to]) {
                heap_rise(heap, n, follow(maps, k.at, e, to));
                n++;
            }
        }
    }
}

/* ---- scores ---- */

/* The order of n values from the largest down; equal ones as they stand. */
static void order_down(const float *v, size_t stride, size_t n, uint32_t *order)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = i;

        for (; at > 0 && v[order[at - 1] * stride] < v[i * stride]; at--)
            order[at] = order[at - 1];
        order[at] = (uint32_t)i;
    }
}

/* The mean of a pose's scores, added up from the largest down, without those that are hidden. */
static float mean_score(const struct pose *p, const bool hidden[PARTS])
{
    uint32_t order[PARTS];
    float sum = 0;

    order_down(p->score, 1, PARTS, order);
    for (size_t i = 0; i < PARTS; i++)
        if (!hidden[order[i]])
            sum += p->score[order[i]];
    return sum / PARTS;
}

static size_t find_poses(const struct decoder *d, const struct map maps[INPUTS], struct keypoint *heap, struct pose *poses)
{
    static const bool none[PARTS] = {false};
    size_t left = find_roots(&maps[HEATMAPS], &maps[SHORTS], d->threshold, heap), n = 0;

    while (n < (size_t)d->max_poses && left) {
        const struct keypoint root = heap_pop(heap, &left);

        if (near_known(poses, n, &root, d->nms_radius * d->nms_radius))
            continue;
        decode_pose(maps, root, &poses[n]);
        poses[n].total = mean_score(&poses[n], none);
        n += poses[n].total >= d->threshold;
    }
    return n;
}

/* Keypoints that coincide with those of a better pose do not count any more. */
static void rescore(const struct decoder *d, struct pose *poses, const uint32_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct pose *p = &poses[order[i]];
        bool hidden[PARTS] = {false};

        for (size_t j = 0; j < i; j++)
            for (size_t k = 0; k < PARTS; k++)
                hidden[k] |= distance2(p->at[k], poses[order[j]].at[k]) <= d->nms_radius * d->nms_radius;
        p->total = mean_score(p, hidden);
    }
}

static size_t write_poses(const struct decoder *d, const struct node *n, const struct pose *poses, const uint32_t *order,
                          size_t found)
{
    float *at = n->out[KEYPOINTS]->data, *score = n->out[KEYPOINT_SCORES]->data, *total = n->out[SCORES]->data;
    size_t i;

    for (i = 0; i < found && poses[order[i]].total >= d->threshold; i++) {
        const struct pose *p = &poses[order[i]];

        for (size_t k = 0; k < PARTS; k++) {
            *at++ = p->at[k].y * (float)d->stride;
            *at++ = p->at[k].x * (float)d->stride;
        }
        memcpy(score + i * PARTS, p->score, sizeof p->score);
        total[i] = p->total;
    }
    return i;
}

/* ---- masks ---- */

struct masks_job {
    const struct decoder *d;
    const struct map *longs;
    const float *keypoints;
    size_t poses;
    float *masks;
};

/* Follow the long offsets from this pixel to each part of its person. */
static void embed(const struct masks_job *j, struct point pixel, struct point out[PARTS])
{
    for (size_t k = 0; k < PARTS; k++) {
        out[k] = pixel;
        for (int i = 0; i <= LONG_STEPS; i++)
            out[k] = displaced(j->longs, out[k], k, PARTS + k);
        out[k].y *= (float)j->d->stride;
        out[k].x *= (float)j->d->stride;
    }
}

static void mask_rows(void *arg, size_t begin, size_t end)
{
    const struct masks_job *j = arg;
    struct point parts[PARTS];

    for (size_t y = begin; y < end; y++)
        for (size_t x = 0; x < MASK_SIZE; x++) {
            size_t best = 0;
            float least = 0;

            embed(j, (struct point){(float)y, (float)x}, parts);
            for (size_t i = 0; i < j->poses; i++) {
                float sum = 0;

                for (size_t k = 0; k < PARTS; k++) {
                    const float *at = j->keypoints + (i * PARTS + k) * 2;

                    sum += distance2(parts[k], (struct point){at[0], at[1]});
                }
                if (i == 0 || sum < least) {
                    best = i;
                    least = sum;
                }
            }
            j->masks[(best * MASK_SIZE + y) * MASK_SIZE + x] = 1;
        }
}

/* ---- from the node ---- */

static enum status read_options(const struct node *n, struct decoder *d, struct err *err)
{
    struct flex_map m;
    enum status st = flex_open(n->custom, n->n_custom, &m, err);

    if (st)
        return st;
    *d = (struct decoder){.max_poses = flex_int(&m, "max_detections", 0),
                          .stride = flex_int(&m, "stride", 0),
                          .threshold = (float)flex_number(&m, "score_threshold", 0),
                          .nms_radius = (float)flex_number(&m, "nms_radius", 0)};
    if (d->max_poses < 1 || d->stride < 1)
        return err_set(err, ST_BAD_MODEL, "at most %d poses and a stride of %d are too few", d->max_poses, d->stride);
    d->nms_radius /= (float)d->stride;
    d->height = n->in[HEATMAPS]->dim[1];
    d->width = n->in[HEATMAPS]->dim[2];
    return ST_OK;
}

static enum status check_map(const struct node *n, uint32_t i, struct err *err)
{
    static const int32_t channels[INPUTS] = {PARTS, 2 * PARTS, 4 * EDGES, 2 * PARTS};
    const struct tensor *t = n->in[i], *heat = n->in[HEATMAPS];

    if (t->rank != 4 || t->dim[0] != 1 || t->dim[1] < 1 || t->dim[2] < 1 || t->dim[3] != channels[i])
        return err_set(err, ST_BAD_MODEL, "map %u is %s, expected [1,height,width,%d]", i, TENSOR_TEXT(t), channels[i]);
    if (i == LONGS && (t->dim[1] != MASK_SIZE || t->dim[2] != MASK_SIZE))
        return err_set(err, ST_UNSUPPORTED, "masks of %dx%d cells: the operator knows %dx%d only", t->dim[1], t->dim[2], MASK_SIZE,
                       MASK_SIZE);
    if (i != LONGS && (t->dim[1] != heat->dim[1] || t->dim[2] != heat->dim[2]))
        return err_set(err, ST_BAD_MODEL, "map %u is %s, the heatmaps %s", i, TENSOR_TEXT(t), TENSOR_TEXT(heat));
    return ST_OK;
}

static enum status decoder_shape(struct node *n, struct err *err)
{
    bool masks = n->n_in > LONGS;
    enum status st = shape_arity(n, 3, 4, masks ? 5 : 4, err);
    struct decoder d;

    for (uint32_t i = 0; !st && i < n->n_in; i++)
        st = n->in[i] ? check_map(n, i, err) : err_set(err, ST_BAD_MODEL, "input %u is omitted", i);
    if (st || (st = read_options(n, &d, err)))
        return st;
    for (uint32_t i = 0; i < n->n_out; i++)
        n->out[i]->type = TYPE_FLOAT32; /* whatever the file says */
    if ((st = shape_set(n, KEYPOINTS, (int32_t[]){1, d.max_poses, PARTS, 2}, 4, err)) ||
        (st = shape_set(n, KEYPOINT_SCORES, (int32_t[]){1, d.max_poses, PARTS}, 3, err)) ||
        (st = shape_set(n, SCORES, (int32_t[]){1, d.max_poses}, 2, err)) || (st = shape_set(n, COUNT, (int32_t[]){1}, 1, err)))
        return st;
    return masks ? shape_set(n, MASKS, (int32_t[]){1, d.max_poses, MASK_SIZE, MASK_SIZE}, 4, err) : ST_OK;
}

static enum status decoder_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    struct layout scratch = {0};
    struct decoder d;
    enum status st = read_options(n, &d, err);

    for (uint32_t i = 0; !st && i < n->n_in; i++) {
        if (n->in[i]->type != TYPE_FLOAT32 && n->in[i]->type != TYPE_UINT8)
            return cpu_bad_type(n, n->in[i], err);
        if (n->in[i]->type == TYPE_UINT8)
            st = quant_check(n->in[i], err);
        d.maps[i] = layout_add(&scratch, tensor_elems(n->in[i]), sizeof(float));
    }
    if (st || (st = cpu_pack(c, sizeof d, err)))
        return st;
    d.queue = layout_add(&scratch, tensor_elems(n->in[HEATMAPS]), sizeof(struct keypoint));
    d.poses = layout_add(&scratch, (size_t)d.max_poses, sizeof(struct pose));
    d.order = layout_add(&scratch, (size_t)d.max_poses, sizeof(uint32_t));
    c->scratch_bytes = scratch.bytes;
    *(struct decoder *)c->packed = d;
    return ST_OK;
}

/* As floats; offsets count cells from here on. */
static struct map read_map(const struct cpu_call *c, uint32_t i)
{
    const struct decoder *d = c->packed;
    const struct tensor *t = c->node->in[i];
    const float per_cell = i == HEATMAPS ? 1 : (float)(1.0 / d->stride), scale = quant_scale(t) * per_cell;
    const float zero = (float)quant_zero(t);
    float *v = (float *)((char *)c->scratch + d->maps[i]);
    size_t elems = tensor_elems(t);

    for (size_t k = 0; k < elems; k++)
        v[k] = t->type == TYPE_UINT8 ? ((float)((const uint8_t *)t->data)[k] - zero) * scale
                                     : ((const float *)t->data)[k] * per_cell;
    return (struct map){v, t->dim[1], t->dim[2], t->dim[3]};
}

static void decoder_run(struct cpu_call *c)
{
    const struct node *n = c->node;
    const struct decoder *d = c->packed;
    struct pose *poses = (struct pose *)((char *)c->scratch + d->poses);
    uint32_t *order = (uint32_t *)((char *)c->scratch + d->order);
    struct map maps[INPUTS];
    size_t found;

    for (uint32_t i = 0; i < n->n_in; i++)
        maps[i] = read_map(c, i);
    for (uint32_t i = 0; i < n->n_out; i++)
        memset(n->out[i]->data, 0, n->out[i]->bytes);
    found = find_poses(d, maps, (struct keypoint *)((char *)c->scratch + d->queue), poses);
    order_down(&poses->total, sizeof *poses / sizeof(float), found, order);
    rescore(d, poses, order, found);
    order_down(&poses->total, sizeof *poses / sizeof(float), found, order);
    found = write_poses(d, n, poses, order, found);
    *(float *)n->out[COUNT]->data = (float)found;
    if (n->n_in > LONGS && found) {
        struct masks_job job = {d, &maps[LONGS], n->out[KEYPOINTS]->data, found, n->out[MASKS]->data};

        threads_for(c->threads, MASK_SIZE, 1, mask_rows, &job);
    }
}

const struct cpu_kernel cpu_posenet_decoder = {.shape = decoder_shape, .prepare = decoder_prepare, .compute = decoder_run};
