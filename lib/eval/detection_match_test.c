/* SPDX-License-Identifier: Apache-2.0 */
/* detection_match_test.c - what is found, missed and false in one picture; what two sides have in common. */
#include "lib/eval/detection_match.h"
#include "lib/testing/test.h"

static void found_missed_false(void **state)
{
    static const struct coco_truth truths[] = {{.category = 1, .box = {0, 0, 10, 10}},
                                               {.category = 1, .box = {20, 0, 10, 10}},
                                               {.category = 2, .box = {0, 0, 10, 10}},
                                               {.category = 1, .box = {100, 100, 100, 100}, .crowd = true}};
    static const struct coco_detection list[] = {{0, 1, {1, 0, 10, 10}, 0.9},     /* finds truth 0 */
                                                 {0, 1, {0, 0, 10, 10}, 0.8},     /* again: false */
                                                 {0, 1, {110, 110, 10, 10}, 0.7}, /* part of the crowd */
                                                 {0, 1, {120, 110, 10, 10}, 0.6}, /* so is this */
                                                 {0, 2, {20, 0, 10, 10}, 0.5},    /* the other category: false */
                                                 {0, 1, {20, 0, 10, 10}, 0.2}};   /* too small a score */
    static const int32_t expected[] = {0, MATCH_NONE, MATCH_CROWD, MATCH_CROWD, MATCH_NONE, MATCH_SMALL};
    int32_t truth_of[6];
    bool taken[4];
    struct detection_side side = {.list = list, .n = 6, .truth_of = truth_of};

    (void)state;
    detection_match(&side, truths, 4, 0.5, 0.3, taken);
    assert_memory_equal(truth_of, expected, sizeof expected);
    assert_true(side.found == 1 && side.missed == 2 && side.wrong == 2);
    assert_true(taken[0] && !taken[1] && !taken[2] && !taken[3]);
    detection_match(&side, truths, 4, 0.5, 0, taken);
    assert_true(side.found == 2 && side.missed == 1 && truth_of[5] == 1);
    side.n = 0;
    detection_match(&side, truths, 4, 0.5, 0, taken);
    assert_true(side.found == 0 && side.missed == 3 && side.wrong == 0);
    detection_match(&side, NULL, 0, 0.5, 0, taken);
    assert_true(side.missed == 0);
}

static void pairs(void **state)
{
    static const struct coco_detection first[] = {
        {0, 1, {0, 0, 10, 10}, 0.9}, {0, 1, {1, 0, 10, 10}, 0.8}, {0, 2, {50, 0, 9, 9}, 0.2}};
    static const struct coco_detection second[] = {
        {0, 1, {0, 0, 10, 12}, 0.9}, {0, 2, {0, 0, 10, 10}, 0.9}, {0, 2, {50, 0, 9, 9}, 0.9}};
    const struct detection_side a = {.list = first, .n = 3}, b = {.list = second, .n = 3};
    bool used[3];
    double largest = 0;

    (void)state;
    assert_int_equal(detection_pairs(&a, &b, 0.5, 0.3, used, &largest), 1);
    assert_true(largest == 2);
    assert_int_equal(detection_pairs(&a, &b, 0.5, 0.1, used, &largest), 2);
    assert_int_equal(detection_pairs(&a, &a, 0.5, 0, used, &largest), 3);
    assert_true(largest == 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(found_missed_false), cmocka_unit_test(pairs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
