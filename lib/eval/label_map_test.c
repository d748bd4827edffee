/* SPDX-License-Identifier: Apache-2.0 */
/* label_map_test.c - maps and figures against NumPy's in testdata/segmentation.txt (scripts/reference/segmentation.py); outputs of
 * all forms; scores that are none. */
#include "lib/eval/pixel_counts.h"
#include "lib/testing/test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 21 * 64 };

static struct err err;

/* The output of the script, [H,W,C] or [C,H,W]; 64ths, but for labels. */
static struct tensor output(enum tensor_type type, bool labels, bool first, int32_t h, int32_t w, int32_t c, void *data)
{
    static float scale = 1 / 64.0f;
    static int64_t zero_points[] = {0, -32};
    struct tensor t = {.name = "y", .type = type, .rank = labels ? 3 : 4, .data = data};

    memcpy(t.dim, first ? (int32_t[]){1, c, h, w} : (int32_t[]){1, h, w, c}, 4 * sizeof *t.dim);
    for (int32_t i = 0; i < h * w * c; i++) {
        const int32_t k = i % c, x = i / c % w, y = i / c / w;
        const uint32_t v = (uint32_t)(x * x * 3 + y * y * 5 + x * y * 7 + k * k * 50 + k * x * 11 + 31) % 64;
        const int32_t at = first ? (k * h + y) * w + x : i;

        switch (type) {
        case TYPE_FLOAT32: ((float *)data)[at] = (float)v / 64; break;
        case TYPE_INT64: ((int64_t *)data)[at] = v; break;
        case TYPE_INT8: ((int8_t *)data)[at] = (int8_t)((int)v - 32); break;
        default: ((uint8_t *)data)[at] = (uint8_t)v; break;
        }
    }
    if ((type == TYPE_UINT8 || type == TYPE_INT8) && !labels)
        t.quant = (struct quant){.n = 1, .scale = &scale, .zero_point = &zero_points[type == TYPE_INT8]};
    return t;
}

static struct label_map *truth(uint32_t h, uint32_t w, uint32_t classes)
{
    struct label_map *m = label_map_new(w, h);

    for (uint32_t y = 0; y < h; y++)
        for (uint32_t x = 0; x < w; x++) {
            const uint32_t label = (x / 3 + y / 2 * 2) % (classes + 1);

            m->at[y * w + x] = label == classes ? LABEL_NONE : (uint16_t)label;
        }
    return m;
}

static void hold_figures(const struct label_map *right, const struct label_map *said, uint32_t classes, const double want[6],
                         const char *line)
{
    struct arena arena = {0};
    struct pixel_counts c;
    struct pixel_figures f;

    TEST_OK(pixel_counts_init(&c, classes, &arena, &err), err);
    pixel_counts_add(&c, right, said);
    f = pixel_figures_of(&c);
    {
        const double got[6] = {(double)f.pixels, (double)f.right, f.accuracy, f.mean_accuracy, f.mean_iou, f.weighted_iou};

        for (int i = 0; i < 6; i++)
            if (!(fabs(got[i] - want[i]) <= 1e-14 * want[i]))
                fail_msg("figure %d is %.17g: %s", i, got[i], line);
    }
    arena_free(&arena);
}

static void as_numpy_has_them(void **state)
{
    FILE *f = fopen("testdata/segmentation.txt", "re");
    char line[256], kind[16], type[16], layout[8], way[16];
    int64_t data[MOST];
    uint32_t h, w, c, high, wide, hash, held = 0;
    double want[6];

    (void)state;
    if (!f)
        fail_msg("testdata/segmentation.txt: not run from the top of the project");
    while (fgets(line, sizeof line, f)) {
        struct label_map *right, *small, *said;
        struct label_rule rule = {.threshold = 0.5};
        struct label_place p;
        struct tensor t;
        uint32_t got = 0;
        bool labels;

        if (*line == '#')
            continue;
        assert_int_equal(sscanf(line, "%15s %15s %7s %u %u %u %u %u %15s %x %lf %lf %lf %lf %lf %lf", kind, type, layout, &h, &w,
                                &c, &high, &wide, way, &hash, &want[0], &want[1], &want[2], &want[3], &want[4], &want[5]),
                         16);
        labels = !strcmp(kind, "labels");
        t = output(type_from_name(type), labels, !strcmp(layout, "NCHW"), (int32_t)h, (int32_t)w, (int32_t)c, data);
        TEST_OK(label_place(&t, LABEL_OUTPUT_AUTO, strcmp(layout, "NCHW") ? PREPROCESS_NHWC : PREPROCESS_NCHW, w, h, &p, &err),
                err);
        rule.n_classes = labels ? 50 : p.classes;
        right = truth(high, wide, rule.n_classes);
        rule.bilinear = !strcmp(way, "bilinear");
        if (!strcmp(way, "truth")) {
            small = label_map_resize(right, w, h);
            free(right);
            right = small;
        }
        rule.width = right->width;
        rule.height = right->height;
        TEST_OK(label_map_of(&t, &p, &rule, &said, &err), err);
        for (size_t i = 0; i < (size_t)rule.width * rule.height; i++)
            got = got * 31 + said->at[i];
        if (got != hash)
            fail_msg("hash %08x of %s", got, line);
        hold_figures(right, said, rule.n_classes, want, line);
        free(right);
        free(said);
        held++;
    }
    fclose(f);
    assert_true(held > 100);
}

static void outputs(void **state)
{
    static const struct {
        enum tensor_type type;
        int32_t rank, dim[4];
        bool scale;
        enum label_output asked, kind; /* AUTO: refused */
        bool first;
        uint32_t classes;
    } rows[] = {
        {TYPE_FLOAT32, 4, {1, 6, 8, 21}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_SCORES, false, 21},
        {TYPE_FLOAT32, 4, {1, 21, 6, 8}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_SCORES, true, 21},
        {TYPE_FLOAT32, 4, {1, 12, 16, 6}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_SCORES, false, 6},
        {TYPE_FLOAT32, 4, {1, 5, 5, 5}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_SCORES, false, 5},
        {TYPE_FLOAT32, 4, {1, 6, 8, 1}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_PROBABILITY, false, 2},
        {TYPE_UINT8, 4, {1, 6, 8, 1}, true, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_PROBABILITY, false, 2},
        {TYPE_UINT8, 4, {1, 6, 8, 1}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_LABELS, false, 0},
        {TYPE_UINT8, 3, {1, 6, 8}, true, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_LABELS, false, 0},
        {TYPE_FLOAT32, 3, {1, 6, 8}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_PROBABILITY, false, 2},
        {TYPE_FLOAT32, 3, {1, 6, 8}, false, LABEL_OUTPUT_LABELS, LABEL_OUTPUT_LABELS, false, 0},
        {TYPE_INT32, 4, {1, 1, 6, 8}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_LABELS, true, 0},
        {TYPE_INT64, 3, {1, 6, 8}, false, LABEL_OUTPUT_SCORES, LABEL_OUTPUT_AUTO, false, 0},
        {TYPE_FLOAT32, 4, {1, 6, 8, 21}, false, LABEL_OUTPUT_LABELS, LABEL_OUTPUT_AUTO, false, 0},
        {TYPE_FLOAT32, 4, {1, 6, 8, 1025}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_AUTO, false, 0},
        {TYPE_FLOAT32, 4, {2, 6, 8, 21}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_AUTO, false, 0},
        {TYPE_FLOAT32, 4, {1, 0, 8, 21}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_AUTO, false, 0},
        {TYPE_FLOAT32, 4, {1, 6, 70000, 2}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_AUTO, false, 0},
        {TYPE_FLOAT32, 2, {1, 21}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_AUTO, false, 0},
        {TYPE_STRING, 3, {1, 6, 8}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_AUTO, false, 0},
        {TYPE_BOOL, 3, {1, 6, 8}, false, LABEL_OUTPUT_AUTO, LABEL_OUTPUT_AUTO, false, 0},
    };
    float scale = 0.5f;
    int64_t zero = 0;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tensor t = {.name = "y", .type = rows[i].type, .rank = rows[i].rank};
        struct label_place p;
        const bool refused = rows[i].kind == LABEL_OUTPUT_AUTO;

        memcpy(t.dim, rows[i].dim, sizeof rows[i].dim);
        if (rows[i].scale)
            t.quant = (struct quant){.n = 1, .scale = &scale, .zero_point = &zero};
        if (label_place(&t, rows[i].asked, PREPROCESS_LAYOUT_AUTO, 32, 24, &p, &err) != (refused ? ST_USAGE : ST_OK))
            fail_msg("row %zu: %s", i, refused ? "taken" : err.msg);
        if (!refused && (p.kind != rows[i].kind || p.channels_first != rows[i].first || p.classes != rows[i].classes))
            fail_msg("row %zu: kind %d, %u classes", i, (int)p.kind, p.classes);
    }
}

static void not_numbers(void **state)
{
    float data[] = {NAN, NAN, NAN, 1, -INFINITY, NAN, 3, 3};
    struct tensor t = {.name = "y", .type = TYPE_FLOAT32, .rank = 4, .dim = {1, 2, 2, 2}, .data = data};
    const struct label_rule rule = {2, 2, 2, false, 0.5};
    struct label_place p;
    struct label_map *m;

    (void)state;
    TEST_OK(label_place(&t, LABEL_OUTPUT_AUTO, PREPROCESS_LAYOUT_AUTO, 2, 2, &p, &err), err);
    TEST_OK(label_map_of(&t, &p, &rule, &m, &err), err);
    assert_true(m->at[0] == LABEL_NONE && m->at[1] == 1 && m->at[2] == 0 && m->at[3] == 0);
    free(m);
    t.rank = 3;
    t.dim[0] = 1, t.dim[1] = 2, t.dim[2] = 4;
    data[0] = -1, data[1] = 1.5f, data[6] = 1;
    TEST_OK(label_place(&t, LABEL_OUTPUT_LABELS, PREPROCESS_LAYOUT_AUTO, 4, 2, &p, &err), err);
    TEST_OK(label_map_of(&t, &p, &(struct label_rule){4, 2, 2, false, 0.5}, &m, &err), err);
    for (int i = 0; i < 8; i++)
        assert_int_equal(m->at[i], i == 3 || i == 6 ? 1 : LABEL_NONE);
    free(m);
}

/* Sums of parts are the sums of the whole; classes that do not occur have no figure. */
static void counts(void **state)
{
    struct arena arena = {0};
    struct pixel_counts c;
    struct label_map *right = label_map_new(2, 2), *said = label_map_new(2, 2);
    struct pixel_class one;

    (void)state;
    TEST_OK(pixel_counts_init(&c, 4, &arena, &err), err);
    assert_true(isnan(pixel_figures_of(&c).mean_iou) && isnan(pixel_figures_of(&c).accuracy));
    right->at[0] = 0, right->at[1] = 0, right->at[2] = 1;
    said->at[0] = 0, said->at[1] = 2, said->at[2] = LABEL_NONE, said->at[3] = 0;
    pixel_counts_add(&c, right, said);
    assert_int_equal(pixel_counts_same(right, said, said), 3);
    one = pixel_class_of(&c, 0);
    assert_true(one.truth == 2 && one.answer == 1 && one.both == 1 && one.iou == 0.5 && one.accuracy == 0.5);
    one = pixel_class_of(&c, 1);
    assert_true(one.truth == 1 && one.iou == 0);
    one = pixel_class_of(&c, 2);
    assert_true(one.truth == 0 && one.answer == 1 && one.iou == 0 && isnan(one.accuracy));
    assert_true(isnan(pixel_class_of(&c, 3).iou));
    assert_int_equal(pixel_figures_of(&c).n_classes, 3);
    assert_true(pixel_figures_of(&c).mean_iou == 0.5 / 3);
    assert_int_equal(pixel_counts_init(&c, UINT32_MAX, &arena, &err), ST_NOMEM);
    free(right);
    free(said);
    arena_free(&arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(as_numpy_has_them), cmocka_unit_test(outputs),
                                              cmocka_unit_test(not_numbers), cmocka_unit_test(counts)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
