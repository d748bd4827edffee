/* SPDX-License-Identifier: Apache-2.0 */
/* label_colors_test.c - palettes and class maps, and what is refused. */
#include "lib/eval/label_colors.h"
#include "lib/testing/test.h"

static struct err err;

static struct label_lines lines_of(const char *text, struct arena *a)
{
    struct label_lines lines;

    TEST_OK(label_split(text, strlen(text), true, "text", a, &lines, &err), err);
    return lines;
}

static void palettes(void **state)
{
    struct arena arena = {0};
    struct label_lines lines = lines_of("128 64 128 road\n 0\t0  0\n255 255 255 bus stop\n0 0 1 x\n", &arena);
    struct label_colors c;
    uint32_t label;
    uint8_t rgb[3];

    (void)state;
    TEST_OK(label_colors_read(&lines, "p.txt", &arena, &c, &err), err);
    assert_int_equal(c.n, 4);
    assert_string_equal(c.name[0], "road");
    assert_string_equal(c.name[1], "");
    assert_string_equal(c.name[2], "bus stop");
    for (uint32_t i = 0; i < c.n; i++)
        assert_true(label_colors_find(&c, c.rgb[i], &label) && label == i);
    assert_false(label_colors_find(&c, (const uint8_t[]){128, 64, 127}, &label));
    assert_false(label_colors_find(&(struct label_colors){0}, rgb, &label));
    /* The first colors of PASCAL VOC, and its last */
    label_color_usual(0, rgb);
    assert_true(rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0);
    label_color_usual(1, rgb);
    assert_true(rgb[0] == 128 && rgb[1] == 0 && rgb[2] == 0);
    label_color_usual(15, rgb);
    assert_true(rgb[0] == 192 && rgb[1] == 128 && rgb[2] == 128);
    label_color_usual(255, rgb);
    assert_true(rgb[0] == 224 && rgb[1] == 224 && rgb[2] == 192);
    arena_free(&arena);
}

static void bad_palettes(void **state)
{
    static const char *const bad[][2] = {
        {"1 2", "p.txt: line 1, '1 2': expected red, green and blue from 0 to 255, and a name"},
        {"1 2 3 a\n1 2 256 b", "p.txt: line 2, '1 2 256 b': expected red, green and blue from 0 to 255, and a name"},
        {"road 1 2 3", "p.txt: line 1, 'road 1 2 3': expected red, green and blue from 0 to 255, and a name"},
        {"1 2 3 a\n9 9 9\n1 2 3 b", "p.txt: line 3, '1 2 3 b': another line has this color"}};
    struct arena arena = {0};
    struct label_colors c;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct label_lines lines = lines_of(bad[i][0], &arena);

        assert_int_equal(label_colors_read(&lines, "p.txt", &arena, &c, &err), ST_USAGE);
        assert_string_equal(err.msg, bad[i][1]);
    }
    assert_int_equal(label_colors_read(&(struct label_lines){.n = LABEL_MAX_CLASSES + 1}, "p.txt", &arena, &c, &err), ST_USAGE);
    assert_string_equal(err.msg, "p.txt has 1025 colors; at most 1024 are read");
    arena_free(&arena);
}

static void class_maps(void **state)
{
    struct arena arena = {0};
    struct label_lines lines = lines_of("7 0\n8 1\n9 -\n255 1\n", &arena);
    struct label_meaning m;

    (void)state;
    label_meaning_init(&m, 3, 254);
    assert_true(m.class[0] == 0 && m.class[2] == 2 && m.class[3] == LABEL_UNKNOWN && m.class[254] == LABEL_NONE);
    TEST_OK(label_meaning_read(&m, &lines, 3, "m.txt", &err), err);
    assert_true(m.class[7] == 0 && m.class[8] == 1 && m.class[9] == LABEL_NONE && m.class[255] == 1);
    assert_true(m.class[0] == LABEL_UNKNOWN && m.class[1023] == LABEL_UNKNOWN && m.class[254] == LABEL_NONE);
    lines = lines_of("* 2\n7 -", &arena);
    label_meaning_init(&m, 3, -1);
    TEST_OK(label_meaning_read(&m, &lines, 3, "m.txt", &err), err);
    assert_true(m.class[7] == LABEL_NONE && m.class[0] == 2 && m.class[254] == 2);
    arena_free(&arena);
}

static void bad_class_maps(void **state)
{
    static const char *const bad[] = {"7",
                                      "7 3",
                                      "7 0 1",
                                      "x 0",
                                      "7 -1",
                                      "-1 0",
                                      "1024 0",
                                      "7 0\n7 1",
                                      "* *",
                                      "* 0\n* 1",
                                      "*",
                                      "7 0x0",
                                      "7                                                                      0"};
    struct arena arena = {0};
    struct label_meaning m;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct label_lines lines = lines_of(bad[i], &arena);

        label_meaning_init(&m, 3, 255);
        if (label_meaning_read(&m, &lines, 3, "m.txt", &err) != ST_USAGE)
            fail_msg("'%s' was read", bad[i]);
        assert_true(!strncmp(err.msg, "m.txt: line ", 12));
    }
    arena_free(&arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(palettes), cmocka_unit_test(bad_palettes),
                                              cmocka_unit_test(class_maps), cmocka_unit_test(bad_class_maps)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
