/* SPDX-License-Identifier: Apache-2.0 */
/* detector_test.c - what outputs of detectors mean, by hand; outputs that mean nothing. testdata/cli/detection_run.txt holds whole
 * detectors against LiteRT and pycocotools. */
#include "bench/models/builder.h"
#include "lib/base/fbw.h"
#include "lib/eval/detector.h"
#include "lib/testing/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct err err;

static struct tensor output(const char *name, float *data, int32_t rows, int32_t columns)
{
    struct tensor t = {.name = name, .type = TYPE_FLOAT32, .rank = 3, .dim = {1, rows, columns}, .data = data};

    if (!columns) {
        t.rank = 2;
        t.dim[1] = rows;
    }
    if (!rows) {
        t.rank = 1;
        t.dim[0] = 1;
    }
    return t;
}

/* A picture of 100 x 50 in an input of 32 x 32, in a letterbox of scale 0.32: 16 rows, with 8 above. */
static const struct detector_picture letterboxed = {
    .width = 100, .height = 50, .input = {.width = 32, .height = 32, .channels = 3}, .map = {0.32, 0.32, 0, 8}, .clip = true};

/* The input itself. */
static const struct detector_picture same = {
    .width = 32, .height = 32, .input = {.width = 32, .height = 32, .channels = 3}, .map = {1, 1, 0, 0}};

static struct model none = {.subgraphs = &(struct model_subgraph){.name = ""}, .n_subgraphs = 1};

static struct detector auto_detector(void)
{
    return (struct detector){.min_score = -1, .nms_iou = 0.7, .most = 300};
}

static enum status find(struct detector *d, const struct tensor *const *outputs, uint32_t n)
{
    return detector_find(d, &(struct detector_model){&none, 0, outputs, n, same.input}, &err);
}

static void expect(const struct detector *d, size_t i, uint32_t class, double score, const double box[4])
{
    const struct detector_found *f = &d->found[i];

    assert_true(i < d->n_found);
    assert_int_equal(f->class, class);
    assert_true(fabs(f->score - score) < 1e-6);
    if (fabs(f->box.x - box[0]) > 1e-4 || fabs(f->box.y - box[1]) > 1e-4 || fabs(f->box.w - box[2]) > 1e-4 ||
        fabs(f->box.h - box[3]) > 1e-4)
        fail_msg("box %zu is %g %g %g %g", i, f->box.x, f->box.y, f->box.w, f->box.h);
}

#define BOX(...)                                                                                                                   \
    (const double[4])                                                                                                              \
    {                                                                                                                              \
        __VA_ARGS__                                                                                                                \
    }

/* ---- four outputs ---- */

static float boxes[8] = {0.25f, 0.125f, 0.5f, 0.5f, 0, 0, 1, 1}, classes[2] = {2, 0}, scores[2] = {0.75f, 0.5f}, count[1] = {2};

/* Names say the opposite of slots; scores come by way of a RESHAPE. */
static void build_ssd(struct builder *b, bool reversed)
{
    const int32_t in = build_tensor(b, "in", TYPE_FLOAT32, SHAPE(1, 2, 4));
    const int32_t shape = build_const(b, "shape", TYPE_INT32, SHAPE(2), (const int32_t[]){1, 2});
    const int32_t found = build_tensor(b, "count", TYPE_FLOAT32, SHAPE(1, 2, 4)),
                  is = build_tensor(b, "scores", TYPE_FLOAT32, SHAPE(1, 2));
    const int32_t sure = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2)), n = build_tensor(b, "boxes", TYPE_FLOAT32, SHAPE(1));
    const int32_t again = build_tensor(b, "classes", TYPE_FLOAT32, SHAPE(1, 2));

    build_custom_op(b, "TFLite_Detection_PostProcess", "", 0, INDICES(in, in, in), INDICES(found, is, sure, n));
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(sure, shape), INDICES(again));
    if (reversed)
        build_ends(b, INDICES(in), INDICES(n, again, is, found));
    else
        build_ends(b, INDICES(in), INDICES(found, is, again, n));
}

static void slots_of_the_operator(void **state)
{
    static const uint32_t expected[2][DETECTOR_ROLES] = {{0, 1, 2, 3}, {3, 2, 1, 0}};

    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct tensor made[DETECTOR_ROLES] = {output("b", boxes, 2, 4), output("c", classes, 2, 0), output("s", scores, 2, 0),
                                                    output("n", count, 0, 0)};
        const struct tensor *outputs[DETECTOR_ROLES];
        struct detector d = auto_detector();
        struct builder b;

        for (int r = 0; r < DETECTOR_ROLES; r++)
            outputs[expected[i][r]] = &made[r];
        builder_init(&b, "");
        build_ssd(&b, i);
        assert_int_equal(detector_head_of(&b.model, 0), DETECTOR_TFLITE);
        TEST_OK(detector_find(&d, &(struct detector_model){&b.model, 0, outputs, 4, same.input}, &err), err);
        assert_memory_equal(d.output, expected[i], sizeof d.output);
        assert_true(d.known && d.units == UNITS_NORMALIZED && d.min_score == 0);
        TEST_OK(detector_decode(&d, outputs, &same, &err), err);
        expect(&d, 0, 2, 0.75, BOX(4, 8, 12, 8));
        expect(&d, 1, 0, 0.5, BOX(0, 0, 32, 32));
        detector_free(&d);
        builder_fini(&b);
    }
}

static void shapes_and_values(void **state)
{
    float zeros[2] = {0};
    const struct tensor b = output("b", boxes, 2, 4), c = output("c", classes, 2, 0), s = output("s", scores, 2, 0),
                        n = output("n", count, 0, 0), z = output("z", zeros, 2, 0);
    struct detector d = auto_detector();

    (void)state;
    TEST_OK(find(&d, (const struct tensor *[]){&n, &z, &z, &b}, 4), err);
    assert_false(d.known);
    TEST_OK(find(&d, (const struct tensor *[]){&n, &s, &c, &b}, 4), err);
    assert_true(d.known && d.output[DETECTOR_BOXES] == 3 && d.output[DETECTOR_CLASSES] == 2 && d.output[DETECTOR_SCORES] == 1 &&
                d.output[DETECTOR_COUNT] == 0);
    d = auto_detector();
    TEST_OK(detector_read_order("-,classes,scores,boxes", &d, &err), err);
    TEST_OK(find(&d, (const struct tensor *[]){&n, &c, &z, &b}, 4), err);
    assert_true(d.known && d.output[DETECTOR_COUNT] == DETECTOR_NONE && d.output[DETECTOR_SCORES] == 2);
    d = auto_detector();
    assert_int_equal(find(&d, (const struct tensor *[]){&n, &s, &c, &s}, 4), ST_USAGE);
    assert_int_equal(find(&d, (const struct tensor *[]){&n, NULL, &c, &s}, 4), ST_USAGE);
}

/* Metadata with these names of outputs; the caller frees it. */
static uint8_t *named_outputs(const char *const *names, uint32_t n, size_t *bytes)
{
    fbw_ref tensors[4], graph, root;
    struct fbw w;
    uint8_t *out;

    fbw_init(&w);
    for (uint32_t i = 0; i < n; i++) {
        const fbw_ref name = fbw_string(&w, names[i]);

        fbw_start(&w);
        fbw_table(&w, 0, name);
        tensors[i] = fbw_end(&w);
    }
    graph = fbw_tables(&w, tensors, n);
    fbw_start(&w);
    fbw_table(&w, 3, graph); /* output_tensor_metadata */
    graph = fbw_end(&w);
    graph = fbw_tables(&w, &graph, 1);
    fbw_start(&w);
    fbw_table(&w, 3, graph); /* subgraph_metadata */
    root = fbw_end(&w);
    out = fbw_finish(&w, root, "M001", bytes);
    fbw_free(&w);
    return out;
}

/* Values say nothing here: all are 0. */
static void names_in_metadata(void **state)
{
    static const char *const names[] = {"score", "location", "number of detections", "category"}, *const odd[] = {"a", "b", "c",
                                                                                                                  "d"};
    float zeros[2] = {0};
    const struct tensor b = output("b", boxes, 2, 4), z = output("z", zeros, 2, 0), n = output("n", count, 0, 0);
    const struct tensor *outputs[] = {&z, &b, &n, &z};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct model_buffer buffer = {0};
        struct model_metadata metadata = {"TFLITE_METADATA", 0};
        struct model m = {.subgraphs = none.subgraphs,
                          .n_subgraphs = 1,
                          .metadata = &metadata,
                          .n_metadata = 1,
                          .buffers = &buffer,
                          .n_buffers = 1};
        struct detector d = auto_detector();
        uint8_t *data = named_outputs(i ? odd : names, 4, &buffer.bytes);

        assert_non_null(data);
        buffer.data = data;
        TEST_OK(detector_find(&d, &(struct detector_model){&m, 0, outputs, 4, same.input}, &err), err);
        assert_int_equal(d.known, !i);
        if (!i)
            assert_memory_equal(d.output, ((const uint32_t[]){1, 3, 0, 2}), sizeof d.output);
        free(data);
    }
}

/* Counts, classes and boxes of broken models. */
static void broken_detections(void **state)
{
    float bad_boxes[8] = {0, 0, INFINITY, 1, 0, 0, 1, 1}, bad_classes[2] = {0, NAN}, bad_count[1];
    static const float counts[] = {-1, NAN, 3, 1e30f};
    const struct tensor b = output("b", bad_boxes, 2, 4), c = output("c", bad_classes, 2, 0), s = output("s", scores, 2, 0),
                        n = output("n", bad_count, 0, 0), one = output("one", scores, 1, 0);
    const struct tensor *outputs[] = {&b, &c, &s, &n};
    struct detector d = {
        .head = DETECTOR_TFLITE, .units = UNITS_NORMALIZED, .scores = SCORES_AS_THEY_ARE, .most = 300, .output = {0, 1, 2, 3}};

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        bad_count[0] = counts[i];
        assert_int_equal(detector_decode(&d, outputs, &same, &err), ST_USAGE);
    }
    bad_count[0] = 2;
    TEST_OK(detector_decode(&d, outputs, &same, &err), err);
    assert_true(d.n_found == 0 && d.n_nan == 2);
    outputs[2] = &one;
    assert_int_equal(detector_decode(&d, outputs, &same, &err), ST_USAGE);
    detector_free(&d);
}

/* ---- one output ---- */

/* Two boxes that overlap by 0.8, and a third beside them; scores of two classes. The last has a NaN. */
static const float rows[4][6] = {
    {16, 16, 10, 8, 0.9f, 0.1f}, {17, 16, 10, 8, 0.8f, 0.6f}, {4, 12, 4, 4, 0, 0.95f}, {4, 4, 4, 4, NAN, 0}};

static void check_yolo(struct detector *d, const struct tensor *t)
{
    TEST_OK(find(d, &t, 1), err);
    assert_true(d->known && d->head == DETECTOR_YOLO && d->n_classes == 2 && d->units == UNITS_PIXELS);
    TEST_OK(detector_decode(d, &t, &letterboxed, &err), err);
    assert_int_equal(d->n_found, 3);
    expect(d, 0, 1, 0.95, BOX(2 / 0.32, 2 / 0.32, 4 / 0.32, 4 / 0.32));
    expect(d, 1, 0, 0.9, BOX(11 / 0.32, 4 / 0.32, 10 / 0.32, 8 / 0.32));
    expect(d, 2, 1, 0.6, BOX(12 / 0.32, 4 / 0.32, 10 / 0.32, 8 / 0.32));
    assert_int_equal(d->n_nan, 1);
    d->most = 1;
    TEST_OK(detector_decode(d, &t, &letterboxed, &err), err);
    assert_int_equal(d->n_found, 1);
}

static void yolo(void **state)
{
    float first[6][7] = {{0}}, last[7][6] = {{0}}; /* three more boxes, of zeros */
    struct tensor t = output("y", (float *)first, 6, 7);
    struct detector d = auto_detector();

    (void)state;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 6; k++)
            first[k][i] = last[i][k] = rows[i][k];
    check_yolo(&d, &t);
    assert_true(d.channels_first);
    detector_free(&d);
    t = output("y", (float *)last, 7, 6); /* the shape of nms_free */
    d = auto_detector();
    d.head = DETECTOR_YOLO;
    check_yolo(&d, &t);
    assert_false(d.channels_first);
    detector_free(&d);
}

static void yolo_of_8_bits(void **state)
{
    int8_t data[7][8];
    float scale = 0.25f;
    int64_t zero = -128;
    struct tensor t = {.name = "y",
                       .type = TYPE_INT8,
                       .rank = 3,
                       .dim = {1, 7, 8},
                       .data = data,
                       .quant = {.n = 1, .scale = &scale, .zero_point = &zero}};
    const struct tensor *outputs = &t;
    struct detector d = auto_detector();

    (void)state;
    memset(data, -128, sizeof data);
    for (int k = 0; k < 4; k++)
        data[k][3] = (int8_t)(-128 + 4 * 8); /* 8, 8, 8, 8 */
    data[6][3] = -125;                       /* 0.75 of class 2 */
    TEST_OK(find(&d, &outputs, 1), err);
    TEST_OK(detector_decode(&d, &outputs, &same, &err), err);
    assert_int_equal(d.n_found, 1);
    expect(&d, 0, 2, 0.75, BOX(4, 4, 8, 8));
    detector_free(&d);
}

static void yolov5_and_yolox(void **state)
{
    float v5[63][7] = {{0}}, x[21][85] = {{0}};
    struct tensor t = output("v5", (float *)v5, 63, 7);
    const struct tensor *outputs = &t;
    struct detector d = auto_detector();

    (void)state;
    memcpy(v5[40], (const float[]){0.5f, 0.5f, 0.25f, 0.25f, 0.5f, 0.25f, 0.75f}, sizeof v5[40]);
    TEST_OK(find(&d, &outputs, 1), err);
    assert_true(d.head == DETECTOR_YOLOV5 && d.n_classes == 2 && d.units == UNITS_NORMALIZED);
    TEST_OK(detector_decode(&d, &outputs, &same, &err), err);
    assert_int_equal(d.n_found, 2);
    expect(&d, 0, 1, 0.375, BOX(12, 12, 8, 8));
    expect(&d, 1, 0, 0.125, BOX(12, 12, 8, 8));
    detector_free(&d);

    t = output("x", (float *)x, 21, 85); /* 16 cells of stride 8, 4 of 16, 1 of 32 */
    memcpy(x[6], (const float[]){0.5f, 0.25f, 0, 0, 1, 0.5f}, 6 * sizeof(float));
    memcpy(x[19], (const float[]){0.5f, 0.5f, 0.69314718f, 0, 1, 0, 0.25f}, 7 * sizeof(float));
    d = auto_detector();
    TEST_OK(find(&d, &outputs, 1), err);
    assert_true(d.head == DETECTOR_YOLOX && d.n_classes == 80 && d.units == UNITS_PIXELS);
    TEST_OK(detector_decode(&d, &outputs, &same, &err), err);
    assert_int_equal(d.n_found, 2);
    expect(&d, 0, 0, 0.5, BOX(16, 6, 8, 8));    /* cell 2, 1 */
    expect(&d, 1, 1, 0.25, BOX(8, 16, 32, 16)); /* cell 1, 1 of stride 16 */
    detector_free(&d);
}

static void nms_free(void **state)
{
    float data[3][6] = {{2, 4, 10, 12, 0.5f, 1}, {0, 0, 32, 32, 0.9f, 0}, {0, 0, 1, 1, 0.0005f, 0}}, zeros[3][6] = {{0}};
    const struct tensor t = output("o", (float *)data, 3, 6), z = output("o", (float *)zeros, 3, 6), *outputs = &z;
    struct detector d = auto_detector();

    (void)state;
    TEST_OK(find(&d, &outputs, 1), err);
    assert_false(d.known); /* no unit */
    outputs = &t;
    TEST_OK(find(&d, &outputs, 1), err);
    assert_true(d.known && d.head == DETECTOR_NMS_FREE && d.units == UNITS_PIXELS);
    TEST_OK(detector_decode(&d, &outputs, &same, &err), err);
    assert_int_equal(d.n_found, 2);
    expect(&d, 0, 0, 0.9, BOX(0, 0, 32, 32));
    expect(&d, 1, 1, 0.5, BOX(2, 4, 8, 8));
    detector_free(&d);
}

/* ---- two outputs ---- */

static void detr(void **state)
{
    float b[2][4] = {{0.5f, 0.5f, 0.5f, 0.25f}, {0.25f, 0.25f, 0.5f, 0.5f}}, l[2][3] = {{0, 1, 3}, {2, 0, 0}};
    const struct tensor boxes_of = output("b", (float *)b, 2, 4), logits = output("l", (float *)l, 2, 3);
    const struct tensor *outputs[] = {&logits, &boxes_of}, yolo_of = output("y", (float[7]){0}, 1, 7), *const one = &yolo_of;
    struct detector d = auto_detector();

    (void)state;
    d.n_wanted = 2;
    TEST_OK(find(&d, outputs, 2), err);
    assert_true(d.head == DETECTOR_DETR && d.scores == SCORES_SOFTMAX && d.output[DETECTOR_BOXES] == 1);
    TEST_OK(detector_decode(&d, outputs, &same, &err), err);
    assert_int_equal(d.n_found, 2);
    expect(&d, 0, 0, exp(2) / (exp(2) + 2), BOX(0, 0, 16, 16));
    expect(&d, 1, 1, exp(1) / (1 + exp(1) + exp(3)), BOX(8, 12, 16, 8));
    detector_free(&d);
    d = auto_detector();
    d.n_wanted = 3;
    TEST_OK(find(&d, outputs, 2), err);
    assert_int_equal(d.scores, SCORES_SIGMOID);
    TEST_OK(detector_decode(&d, outputs, &same, &err), err);
    assert_int_equal(d.n_found, 6);
    expect(&d, 0, 2, 1 / (1 + exp(-3)), BOX(8, 12, 16, 8));
    detector_free(&d);
    outputs[0] = &boxes_of;
    d = auto_detector();
    assert_int_equal(find(&d, outputs, 2), ST_USAGE); /* which? */
    d = auto_detector();
    d.scores = SCORES_SOFTMAX; /* no class is for "none" */
    assert_int_equal(find(&d, &one, 1), ST_USAGE);
}

/* ---- what is no detector ---- */

static void refused(void **state)
{
    static const int32_t dims[][3] = {{1, 4, 9}, {2, 7, 9}, {1, 9, 5}, {1, 0, 7}};
    static float data[200];
    struct tensor t = output("x", data, 1, 1);
    const struct tensor *outputs[17] = {&t};
    struct detector d;

    (void)state;
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        d = auto_detector();
        memcpy(t.dim, dims[i], sizeof dims[i]);
        d.head = i == 2 ? DETECTOR_YOLOV5 : DETECTOR_AUTO;
        assert_int_equal(find(&d, outputs, 1), ST_USAGE);
    }
    t.type = TYPE_STRING;
    d = auto_detector();
    assert_int_equal(find(&d, outputs, 1), ST_USAGE);
    t.type = TYPE_FLOAT32;
    for (int i = 1; i < 17; i++)
        outputs[i] = &t;
    assert_int_equal(find(&d, outputs, 17), ST_USAGE);
    assert_int_equal(detector_read_order("boxes,boxes", &d, &err), ST_USAGE);
    assert_int_equal(detector_read_order("boxes,,x", &d, &err), ST_USAGE);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(slots_of_the_operator),
                                              cmocka_unit_test(shapes_and_values),
                                              cmocka_unit_test(names_in_metadata),
                                              cmocka_unit_test(broken_detections),
                                              cmocka_unit_test(yolo),
                                              cmocka_unit_test(yolo_of_8_bits),
                                              cmocka_unit_test(yolov5_and_yolox),
                                              cmocka_unit_test(nms_free),
                                              cmocka_unit_test(detr),
                                              cmocka_unit_test(refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
