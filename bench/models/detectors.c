/* SPDX-License-Identifier: Apache-2.0 */
/* detectors.c - the mean color of each cell, then matrices that make boxes and scores of it. */
#include "bench/models/detectors.h"

enum { SIDE = 32, CELLS = 4, CELL = SIDE / CELLS, N = CELLS * CELLS, CLASSES = 3, COLORS = 3 };

/* Options of TFLite_Detection_PostProcess as a FlexBuffers map: 3 classes, 16 detections, 16 of a class, regular suppression above
 * an overlap of 0.6, scores from 0.05 on, scales of 10, 10, 5 and 5. */
static const uint8_t postprocess[] = {
    109, 97,  120, 95,  100, 101, 116, 101, 99,  116, 105, 111, 110, 115, 0,   109, 97,  120, 95,  99,  108, 97,  115, 115,
    101, 115, 95,  112, 101, 114, 95,  100, 101, 116, 101, 99,  116, 105, 111, 110, 0,   110, 117, 109, 95,  99,  108, 97,
    115, 115, 101, 115, 0,   100, 101, 116, 101, 99,  116, 105, 111, 110, 115, 95,  112, 101, 114, 95,  99,  108, 97,  115,
    115, 0,   110, 109, 115, 95,  115, 99,  111, 114, 101, 95,  116, 104, 114, 101, 115, 104, 111, 108, 100, 0,   110, 109,
    115, 95,  105, 111, 117, 95,  116, 104, 114, 101, 115, 104, 111, 108, 100, 0,   121, 95,  115, 99,  97,  108, 101, 0,
    120, 95,  115, 99,  97,  108, 101, 0,   104, 95,  115, 99,  97,  108, 101, 0,   119, 95,  115, 99,  97,  108, 101, 0,
    117, 115, 101, 95,  114, 101, 103, 117, 108, 97,  114, 95,  110, 109, 115, 0,   11,  108, 34,  148, 164, 71,  92,  126,
    24,  33,  50,  59,  0,   0,   0,   0,   15,  0,   0,   0,   0,   0,   0,   0,   1,   0,   0,   0,   0,   0,   0,   0,
    11,  0,   0,   0,   0,   0,   0,   0,   16,  0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   20,  64,
    1,   0,   0,   0,   0,   0,   0,   0,   16,  0,   0,   0,   0,   0,   0,   0,   51,  51,  51,  51,  51,  51,  227, 63,
    154, 153, 153, 153, 153, 153, 169, 63,  3,   0,   0,   0,   0,   0,   0,   0,   1,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   20,  64,  0,   0,   0,   0,   0,   0,   36,  64,  0,   0,   0,   0,   0,   0,   36,  64,
    7,   15,  7,   7,   15,  15,  7,   107, 15,  15,  15,  99,  39,  1,
};

static int32_t reshape(struct builder *b, int32_t x, const char *name, const int32_t *dim, int32_t rank)
{
    const int32_t y = build_tensor(b, name, build_at(b, x)->type, dim, rank);
    const int32_t shape = build_const(b, "shape", TYPE_INT32, SHAPE(rank), dim);

    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, shape), INDICES(y));
    return y;
}

static int32_t input(struct builder *b)
{
    return build_tensor(b, "image", TYPE_FLOAT32, SHAPE(1, SIDE, SIDE, COLORS));
}

/* [N,3]: the mean color of each cell, row by row. */
static int32_t colors(struct builder *b, int32_t image)
{
    const struct opt_pool_2d pool = {
        .padding = PAD_VALID, .stride_width = CELL, .stride_height = CELL, .filter_width = CELL, .filter_height = CELL};
    const int32_t means = build_tensor(b, "means", TYPE_FLOAT32, SHAPE(1, CELLS, CELLS, COLORS));

    build_op(b, BUILTIN_AVERAGE_POOL_2D, 1, &pool, INDICES(image), INDICES(means));
    return reshape(b, means, "colors", SHAPE(N, COLORS));
}

/* [N,columns]: the colors by a matrix [columns,3], plus a constant [N,columns]. */
static int32_t linear(struct builder *b, int32_t x, const char *name, int32_t columns, const float *matrix, const float *plus)
{
    const int32_t weights = build_const(b, "weights", TYPE_FLOAT32, SHAPE(columns, COLORS), matrix);
    const int32_t constant = build_const(b, "constant", TYPE_FLOAT32, SHAPE(N, columns), plus);
    const int32_t product = build_tensor(b, "product", TYPE_FLOAT32, SHAPE(N, columns));
    const int32_t y = build_tensor(b, name, TYPE_FLOAT32, SHAPE(N, columns));

    build_op(b, BUILTIN_FULLY_CONNECTED, 1, &(struct opt_fully_connected){0}, INDICES(x, weights, -1), INDICES(product));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(product, constant), INDICES(y));
    return y;
}

/* Red moves a box to the right, blue down, green makes it larger; all in parts of the side, times `unit`. */
static int32_t centers(struct builder *b, int32_t x, float unit)
{
    const float matrix[4 * COLORS] = {0.1f * unit, 0, 0, 0, 0, 0.1f * unit, 0, 0.1f * unit, 0, 0, 0.15f * unit, 0};
    float plus[4 * N];

    for (int i = 0; i < N; i++) {
        plus[4 * i] = (float)(i % CELLS * 2 + 1) / (2 * CELLS) * unit;
        plus[4 * i + 1] = (float)(i / CELLS * 2 + 1) / (2 * CELLS) * unit; /* NOLINT(bugprone-integer-division): rows */
        plus[4 * i + 2] = plus[4 * i + 3] = 0.4f * unit;
    }
    return linear(b, x, "centers", 4, matrix, plus);
}

/* The same boxes by their corners: left, top, right, bottom, or with `turned` top, left, bottom, right. */
static int32_t corners(struct builder *b, int32_t x, bool turned)
{
    float matrix[4 * COLORS] = {0.1f, -0.05f, 0, 0, -0.075f, 0.1f, 0.1f, 0.05f, 0, 0, 0.075f, 0.1f};
    float plus[4 * N];

    for (int i = 0; i < N; i++) {
        const float cx = (float)(i % CELLS * 2 + 1) / (2 * CELLS);
        const float cy = (float)(i / CELLS * 2 + 1) / (2 * CELLS); /* NOLINT(bugprone-integer-division): rows */

        plus[4 * i + turned] = cx - 0.2f;
        plus[4 * i + !turned] = cy - 0.2f;
        plus[4 * i + 2 + turned] = cx + 0.2f;
        plus[4 * i + 2 + !turned] = cy + 0.2f;
    }
    for (int k = 0; k < COLORS && turned; k++)
        for (int row = 0; row < 4; row += 2) {
            const float first = matrix[row * COLORS + k];

            matrix[row * COLORS + k] = matrix[(row + 1) * COLORS + k];
            matrix[(row + 1) * COLORS + k] = first;
        }
    return linear(b, x, "corners", 4, matrix, plus);
}

/* The three colors as scores: times `factor`, plus a constant. */
static int32_t scores(struct builder *b, int32_t x, const char *name, float factor, float plus)
{
    const float matrix[CLASSES * COLORS] = {factor, 0, 0, 0, factor, 0, 0, 0, factor};
    float constant[CLASSES * N];

    for (int i = 0; i < CLASSES * N; i++)
        constant[i] = plus;
    return linear(b, x, name, CLASSES, matrix, constant);
}

static int32_t beside(struct builder *b, const char *name, const int32_t *x, uint32_t n, int32_t columns)
{
    const int32_t y = build_tensor(b, name, TYPE_FLOAT32, SHAPE(N, columns));

    build_op(b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 1}, x, n, &y, 1);
    return y;
}

static int32_t column(struct builder *b, float value)
{
    float list[N];

    for (int i = 0; i < N; i++)
        list[i] = value;
    return build_const(b, "column", TYPE_FLOAT32, SHAPE(N, 1), list);
}

/* ---- SSD ---- */

enum { BOXES, LABELS, SCORES, COUNT };

static void postprocessed(struct builder *b, const char *const names[4], int32_t out[4], int32_t *image)
{
    const float matrix[4 * COLORS] = {0, 0, 2.5f, 2.5f, 0, 0, 0, 1.5f, 0, 0, 1.5f, 0};
    float zeros[4 * N] = {0}, anchors[4 * N];
    int32_t x, boxes, classes, constant, columns[2];

    for (int i = 0; i < N; i++) {
        anchors[4 * i] = (float)(i / CELLS * 2 + 1) / (2 * CELLS); /* NOLINT(bugprone-integer-division): rows */
        anchors[4 * i + 1] = (float)(i % CELLS * 2 + 1) / (2 * CELLS);
        anchors[4 * i + 2] = anchors[4 * i + 3] = 0.4f;
    }
    *image = input(b);
    x = colors(b, *image);
    boxes = reshape(b, linear(b, x, "encodings", 4, matrix, zeros), "raw_boxes", SHAPE(1, N, 4));
    columns[0] = column(b, 0);
    columns[1] = scores(b, x, "class_scores", 0.5f, 0.5f);
    classes = reshape(b, beside(b, "with_background", columns, 2, 1 + CLASSES), "raw_scores", SHAPE(1, N, 1 + CLASSES));
    constant = build_const(b, "anchors", TYPE_FLOAT32, SHAPE(N, 4), anchors);
    out[BOXES] = build_tensor(b, names[BOXES], TYPE_FLOAT32, SHAPE(1, N, 4));
    out[LABELS] = build_tensor(b, names[LABELS], TYPE_FLOAT32, SHAPE(1, N));
    out[SCORES] = build_tensor(b, names[SCORES], TYPE_FLOAT32, SHAPE(1, N));
    out[COUNT] = build_tensor(b, names[COUNT], TYPE_FLOAT32, SHAPE(1));
    build_custom_op(b, "TFLite_Detection_PostProcess", postprocess, sizeof postprocess, INDICES(boxes, classes, constant), out, 4);
}

void detector_ssd(struct builder *b)
{
    int32_t out[4], image;

    postprocessed(b,
                  (const char *const[]){"TFLite_Detection_PostProcess", "TFLite_Detection_PostProcess:1",
                                        "TFLite_Detection_PostProcess:2", "TFLite_Detection_PostProcess:3"},
                  out, &image);
    build_ends(b, INDICES(image), out, 4);
}

void detector_ssd_reversed(struct builder *b)
{
    int32_t out[4], image;

    postprocessed(b,
                  (const char *const[]){"StatefulPartitionedCall:3", "StatefulPartitionedCall:2", "StatefulPartitionedCall:1",
                                        "StatefulPartitionedCall:0"},
                  out, &image);
    out[SCORES] = reshape(b, out[SCORES], "scores_again", SHAPE(1, N));
    build_ends(b, INDICES(image), INDICES(out[COUNT], out[SCORES], out[LABELS], out[BOXES]));
}

/* The best class of each cell: its score [N], and its number [N] as INT32. */
static void best(struct builder *b, int32_t s, int32_t *score, int32_t *class)
{
    const int32_t axis = build_const(b, "axis", TYPE_INT32, SHAPE(1), (int32_t[]){1});

    *score = build_tensor(b, "best_score", TYPE_FLOAT32, SHAPE(N));
    *class = build_tensor(b, "best_class", TYPE_INT32, SHAPE(N));
    build_op(b, BUILTIN_REDUCE_MAX, 1, &(struct opt_reducer){0}, INDICES(s, axis), INDICES(*score));
    build_op(b, BUILTIN_ARG_MAX, 1, &(struct opt_arg_max){.output_type = TYPE_INT32}, INDICES(s, axis), INDICES(*class));
}

static int32_t as_floats(struct builder *b, int32_t x, const char *name)
{
    const int32_t y = build_tensor(b, name, TYPE_FLOAT32, SHAPE(N));

    build_op(b, BUILTIN_CAST, 1, &(struct opt_cast){TYPE_INT32, TYPE_FLOAT32}, INDICES(x), INDICES(y));
    return y;
}

void detector_plain(struct builder *b)
{
    const int32_t image = input(b);
    int32_t x = colors(b, image), score, class, a;
    const int32_t boxes = corners(b, x, true);
    const int32_t count = build_const(b, "all", TYPE_INT32, SHAPE(1), (int32_t[]){N});
    const int32_t most = build_const(b, "most", TYPE_INT32, SCALAR, (int32_t[]){N});
    const int32_t sorted = build_tensor(b, "sorted", TYPE_FLOAT32, SHAPE(N)),
                  order = build_tensor(b, "order", TYPE_INT32, SHAPE(N));
    const int32_t b_sorted = build_tensor(b, "sorted_boxes", TYPE_FLOAT32, SHAPE(N, 4));
    const int32_t c_sorted = build_tensor(b, "sorted_classes", TYPE_FLOAT32, SHAPE(N));
    const int32_t n = build_tensor(b, "n", TYPE_FLOAT32, SHAPE(1));

    best(b, scores(b, x, "class_scores", 0.5f, 0.5f), &score, &class);
    class = as_floats(b, class, "class");
    build_op(b, BUILTIN_TOPK_V2, 1, NULL, INDICES(score, most), INDICES(sorted, order));
    build_op(b, BUILTIN_GATHER, 1, &(struct opt_gather){0}, INDICES(boxes, order), INDICES(b_sorted));
    build_op(b, BUILTIN_GATHER, 1, &(struct opt_gather){0}, INDICES(class, order), INDICES(c_sorted));
    build_op(b, BUILTIN_CAST, 1, &(struct opt_cast){TYPE_INT32, TYPE_FLOAT32}, INDICES(count), INDICES(n));
    a = reshape(b, sorted, "a", SHAPE(1, N));
    x = reshape(b, b_sorted, "b", SHAPE(1, N, 4));
    class = reshape(b, c_sorted, "d", SHAPE(1, N));
    build_ends(b, INDICES(image), INDICES(a, x, n, class));
}

/* ---- one or two outputs ---- */

/* Boxes and scores of each cell, [N,7]. */
static int32_t rows(struct builder *b, int32_t x, float unit)
{
    const int32_t boxes = centers(b, x, unit), s = scores(b, x, "class_scores", 1, 0);

    return beside(b, "all", INDICES(boxes, s), 4 + CLASSES);
}

void detector_yolo(struct builder *b)
{
    const int32_t image = input(b), x = colors(b, image), all = rows(b, x, SIDE);
    const int32_t turned = build_tensor(b, "turned", TYPE_FLOAT32, SHAPE(4 + CLASSES, N));
    const int32_t order = build_const(b, "order", TYPE_INT32, SHAPE(2), (int32_t[]){1, 0});

    build_op(b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(all, order), INDICES(turned));
    build_ends(b, INDICES(image), INDICES(reshape(b, turned, "output0", SHAPE(1, 4 + CLASSES, N))));
}

void detector_yolo_last(struct builder *b)
{
    const int32_t image = input(b), x = colors(b, image), all = rows(b, x, 1);

    build_ends(b, INDICES(image), INDICES(reshape(b, all, "output0", SHAPE(1, N, 4 + CLASSES))));
}

void detector_nms_free(struct builder *b)
{
    const int32_t image = input(b), x = colors(b, image), boxes = corners(b, x, false);
    int32_t score, class, all;

    best(b, scores(b, x, "class_scores", 1, 0), &score, &class);
    score = reshape(b, score, "score", SHAPE(N, 1));
    class = reshape(b, as_floats(b, class, "number"), "class", SHAPE(N, 1));
    all = beside(b, "all", INDICES(boxes, score, class), 6);
    build_ends(b, INDICES(image), INDICES(reshape(b, all, "output0", SHAPE(1, N, 6))));
}

void detector_detr(struct builder *b)
{
    const int32_t image = input(b), x = colors(b, image);
    const int32_t boxes = reshape(b, centers(b, x, 1), "pred_boxes", SHAPE(1, N, 4));
    const int32_t logits = reshape(b, scores(b, x, "class_scores", 2, -1), "logits", SHAPE(1, N, CLASSES));

    build_ends(b, INDICES(image), INDICES(boxes, logits));
}

void detector_detr_none(struct builder *b)
{
    const int32_t image = input(b), x = colors(b, image), s = scores(b, x, "class_scores", 2, 0), none = column(b, 1);
    const int32_t logits = reshape(b, beside(b, "all", INDICES(s, none), CLASSES + 1), "logits", SHAPE(1, N, CLASSES + 1));
    const int32_t boxes = reshape(b, centers(b, x, 1), "pred_boxes", SHAPE(1, N, 4));

    build_ends(b, INDICES(image), INDICES(logits, boxes));
}
