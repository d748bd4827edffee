/* SPDX-License-Identifier: Apache-2.0 */
/* category_map_test.c - classes and categories by each rule, and what no rule fits. */
#include "lib/eval/category_map.h"
#include "lib/testing/test.h"

#include <string.h>

static struct err err;

static enum status init(struct category_map *m, struct category_map_wish wish, struct coco_category *categories, uint32_t n,
                        struct arena *a)
{
    struct coco_data data = {.categories = categories, .set.n_categories = n};

    return category_map_init(m, &wish, &data, a, &err);
}

/* COCO's 80 categories, without the ids that it skips. */
static void coco(void **state)
{
    static const int64_t gaps[] = {12, 26, 29, 30, 45, 66, 68, 69, 71, 83};
    struct coco_category all[80] = {{0}};
    struct arena a = {0};
    struct category_map m;
    uint32_t n = 0;
    char text[CATEGORY_MAP_TEXT];

    (void)state;
    for (int64_t id = 1; id <= 90; id++) {
        bool skipped = false;

        for (int i = 0; i < 10; i++)
            skipped |= gaps[i] == id;
        if (!skipped)
            all[n++].id = id;
    }
    assert_int_equal(n, 80);
    TEST_OK(init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .n_classes = 80}, all, 80, &a), err);
    assert_int_equal(m.kind, CLASSES_COCO80);
    for (uint32_t i = 0; i < 80; i++)
        assert_int_equal(category_map_find(&m, i), i);
    assert_int_equal(category_map_find(&m, 80), CATEGORY_NONE);
    assert_string_equal(category_map_text(&m, text), "class is the category with that place among COCO's 80 ids, 80 of 80 classes");
    /* A part of them is so, too: ids tell. */
    TEST_OK(init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .n_classes = 80}, all + 70, 10, &a), err);
    assert_true(m.kind == CLASSES_COCO80 && category_map_find(&m, 79) == 9 && category_map_find(&m, 0) == CATEGORY_NONE);
    /* With the gaps: 91 classes from 0 on, 90 from 1 on, those of TFLite's operator. */
    TEST_OK(init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .n_classes = 91}, all, 80, &a), err);
    assert_true(m.kind == CLASSES_IDS && category_map_find(&m, 90) == 79 && category_map_find(&m, 12) == CATEGORY_NONE);
    TEST_OK(init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .n_classes = 90}, all, 80, &a), err);
    assert_true(category_map_find(&m, 89) == 79 && category_map_find(&m, 11) == CATEGORY_NONE);
    TEST_OK(init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .from_background = true}, all, 80, &a), err);
    assert_true(m.offset == 1 && category_map_find(&m, 89) == 79 && category_map_find(&m, 0) == 0);
    arena_free(&a);
}

static void names(void **state)
{
    static const char *lines[] = {"background", "Dog", "cat"};
    const struct label_lines labels = {lines, 3};
    struct coco_category named[] = {{3, "cat"}, {7, "dog"}}, nameless[] = {{1, ""}, {2, ""}};
    struct arena a = {0};
    struct category_map m;

    (void)state;
    TEST_OK(
        init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .from_background = true, .labels = &labels}, named, 2, &a),
        err);
    assert_true(m.kind == CLASSES_LABELS && m.offset == 1);
    assert_true(category_map_find(&m, 0) == 1 && category_map_find(&m, 1) == 0 && category_map_find(&m, 2) == CATEGORY_NONE);
    TEST_OK(init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .n_classes = 3, .labels = &labels}, named, 2, &a),
            err);
    assert_true(m.offset == 0 && category_map_find(&m, 1) == 1 && category_map_find(&m, 0) == CATEGORY_NONE);
    /* Categories of messages take the names by their ids. */
    TEST_OK(init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .from_background = true, .labels = &labels}, nameless,
                 2, &a),
            err);
    assert_int_equal(m.kind, CLASSES_IDS);
    assert_string_equal(nameless[1].name, "cat");
    arena_free(&a);
}

static void refused(void **state)
{
    struct coco_category three[] = {{2, "a"}, {5, "b"}, {9, "c"}};
    struct arena a = {0};
    struct category_map m;

    (void)state;
    TEST_OK(init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .n_classes = 3}, three, 3, &a), err);
    assert_true(m.kind == CLASSES_ORDER && category_map_find(&m, 2) == 2);
    assert_int_equal(init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .n_classes = 4}, three, 3, &a), ST_USAGE);
    assert_int_equal(init(&m, (struct category_map_wish){.kind = CLASSES_LABELS, .n_classes = 3}, three, 3, &a), ST_USAGE);
    assert_int_equal(init(&m, (struct category_map_wish){.kind = CLASSES_IDS, .offset = -1000, .n_classes = 3}, three, 3, &a),
                     ST_USAGE);
    assert_int_equal(init(&m, (struct category_map_wish){.offset = CLASS_OFFSET_AUTO, .n_classes = 3}, NULL, 0, &a), ST_USAGE);
    assert_int_equal(init(&m, (struct category_map_wish){.kind = CLASSES_ORDER, .n_classes = 1u << 30}, three, 3, &a), ST_USAGE);
    arena_free(&a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(coco), cmocka_unit_test(names), cmocka_unit_test(refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
