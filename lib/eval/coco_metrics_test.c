/* SPDX-License-Identifier: Apache-2.0 */
/* coco_metrics_test.c - the sets of testdata/coco, whose metrics have the bits of pycocotools; and cases by hand. */
#include "lib/eval/coco_files.h"
#include "lib/testing/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct err err;

/* The next number of a file of hexadecimal doubles. */
static double next_number(FILE *f)
{
    char line[64];

    assert_non_null(fgets(line, sizeof line, f));
    return strtod(line, NULL);
}

static void frozen_sets(void **state)
{
    int sets = 0;

    (void)state;
    for (int n = 0; n < 100; n++) {
        char paths[3][64];
        struct coco_data data = {0};
        struct coco_metrics m;
        struct arena a = {0};
        FILE *f;

        snprintf(paths[0], sizeof paths[0], "testdata/coco/%02d.truth.json", n);
        snprintf(paths[1], sizeof paths[1], "testdata/coco/%02d.found.json", n);
        snprintf(paths[2], sizeof paths[2], "testdata/coco/%02d.txt", n);
        if (!(f = fopen(paths[2], "r")))
            break;
        TEST_OK(coco_read_truth(paths[0], &data, &err), err);
        TEST_OK(coco_read_detections(paths[1], &data, &err), err);
        TEST_OK(coco_evaluate(&data.set, &a, &m, &err), err);
        const double got[] = {m.ap,   m.ap50,  m.ap75,   m.ap_area[COCO_SMALL], m.ap_area[COCO_MEDIUM], m.ap_area[COCO_LARGE],
                              m.ar_1, m.ar_10, m.ar_100, m.ar_area[COCO_SMALL], m.ar_area[COCO_MEDIUM], m.ar_area[COCO_LARGE]};

        for (size_t i = 0; i < sizeof got / sizeof *got; i++) {
            const double wanted = next_number(f);

            if (got[i] != wanted)
                fail_msg("%s: metric %zu is %a, wanted %a", paths[0], i, got[i], wanted);
        }
        for (uint32_t k = 0; k < data.set.n_categories; k++) {
            const double wanted = next_number(f);

            if (m.category_ap[k] != wanted)
                fail_msg("%s: category %u has %a, wanted %a", paths[0], k, m.category_ap[k], wanted);
        }
        fclose(f);
        coco_data_free(&data);
        arena_free(&a);
        sets++;
    }
    assert_int_equal(sets, 16);
}

static void overlaps(void **state)
{
    const struct coco_box a = {0, 0, 10, 10}, b = {5, 0, 10, 10}, far = {20, 20, 5, 5}, none = {5, 5, 0, 0};

    (void)state;
    assert_true(coco_iou(&a, &a, false) == 1 && coco_iou(&a, &b, false) == 50 / 150.0 && coco_iou(&a, &b, true) == 0.5);
    assert_true(coco_iou(&a, &far, false) == 0 && coco_iou(&none, &a, false) == 0 && coco_iou(&none, &none, true) == 0);
}

/* One image with two boxes, of which one is found twice and something else once. */
static void by_hand(void **state)
{
    static const struct coco_truth truths[] = {{0, 0, {0, 0, 10, 10}, 100, false, false},
                                               {0, 0, {50, 50, 10, 10}, 100, false, false}};
    static const struct coco_detection found[] = {
        {0, 0, {0, 0, 10, 10}, 0.9}, {0, 0, {0, 0, 10, 9}, 0.8}, {0, 1, {0, 0, 10, 10}, 0.7}};
    const struct coco_set set = {1, 3, truths, found, 2, 3};
    struct coco_metrics m;
    struct arena a = {0};

    (void)state;
    TEST_OK(coco_evaluate(&set, &a, &m, &err), err);
    /* Half of the boxes at precision 1: 51 of 101 recalls. Categories without boxes have no precision. */
    assert_true(fabs(m.ap - 51.0 / 101) < 1e-12 && m.ap == m.category_ap[0] && m.category_ap[1] == -1 && m.category_ap[2] == -1);
    assert_true(m.ar_1 == 0.5 && m.ar_100 == 0.5 && m.ap_area[COCO_LARGE] == -1 && m.ap_area[COCO_SMALL] == m.ap);
    assert_int_equal(m.category_truths[0], 2);
    arena_free(&a);
}

static void nothing(void **state)
{
    const struct coco_set set = {0};
    struct coco_metrics m;
    struct arena a = {0};

    (void)state;
    TEST_OK(coco_evaluate(&set, &a, &m, &err), err);
    assert_true(m.ap == -1 && m.ar_1 == -1);
    arena_free(&a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(frozen_sets),
        cmocka_unit_test(overlaps),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
