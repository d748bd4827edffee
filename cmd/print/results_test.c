/* SPDX-License-Identifier: Apache-2.0 */
/* results_test.c - one tree gives text, Markdown, a page and JSON. */
#include "cmd/print/results.h"
#include "cmd/testing/test_capture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/host/files.h"
#include "cmd/host/say.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct capture out;
static struct results tree;
static struct result_section *section;
static struct err err;
static char path[64];

static int begin(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/results_test.%ld", (long)getpid());
    results_init(&tree, (const char *const[]){"Nodes"}, 1, true);
    section = tree.parts[0];
    return 0;
}

static int end(void **state)
{
    (void)state;
    results_fini(&tree);
    unlink(path);
    return 0;
}

/* The file at `path`, to be freed. */
static char *file_text(void)
{
    size_t bytes;
    void *text;

    TEST_OK(file_read_all(path, 1 << 20, &text, &bytes, &err), err);
    ((char *)text)[bytes] = '\0';
    return text;
}

static char *page(void)
{
    TEST_OK(results_write_page(&tree, (const int[]){0}, 1, html_new("t", "s"), path, &err), err);
    return file_text();
}

static void add_table(const char *name)
{
    static const struct result_column columns[] = {
        {.key = "op", .title = "name", .pad = "%-9.7s", .heading = "Operator"},
        {.key = "us", .title = "ms", .pad = " %6s", .number = "%.2f", .heading = "ms", .right = true},
        {.key = "off", .title = "off", .pad = "  %s"},
        {.heading = "only here"}};
    struct result_table *t = results_table(section, columns, COUNT(columns),
                                           json_array(tree.report, report_root(tree.report), "rows"));

    result_text(t, "%s", name);
    result_number(t, 1.5);
    result_bool(t, true);
    result_text(t, "a");
    result_text(t, "ADD");
    result_none(t);
    result_bool(t, false);
    json_number(tree.report, result_row(t), "more", 7);
    result_text(t, "b");
}

static void one_table_everywhere(void **state)
{
    char *text;

    (void)state;
    add_table("conv|\n2d too long");
    capture_begin(&out, 1);
    assert_int_equal(results_say(section, RESULT_TEXT, &err), ST_OK);
    assert_string_equal(capture_end(&out), "name          ms  off\nconv|?2     1.50  yes\nADD            -  no\n");
    text = page();
    assert_non_null(strstr(text, "<h2>Nodes</h2>"));
    assert_non_null(strstr(text, "<th class=\"n\">ms</th><th>only here</th>"));
    assert_non_null(strstr(text, "<td class=\"n\">1.5</td><td>a</td>"));
    free(text);
    TEST_OK(report_write(tree.report, path, &err), err);
    text = file_text();
    assert_non_null(strstr(text, "\"op\":\t\"ADD\",\n\t\t\t\"us\":\tnull,\n\t\t\t\"off\":\tfalse,\n\t\t\t\"more\":\t7\n"));
    free(text);
}

static void as_wide_as_the_widest(void **state)
{
    static const struct result_column columns[] = {
        {.title = "name"}, {.title = "n", .right = true}, {.heading = "not here"}, {.title = "last"}};
    struct result_table *t = results_table(section, columns, COUNT(columns), NULL);
    char text[256] = "";
    FILE *to = fmemopen(text, sizeof text, "w");

    (void)state;
    assert_non_null(to);
    result_text(t, "caf\xc3\xa9|au lait");
    result_number(t, 12);
    result_skip(t, 0);
    assert_int_equal(results_print(section, RESULT_TEXT, to, &err), ST_OK);
    assert_int_equal(results_print(section, RESULT_MARKDOWN, to, &err), ST_OK);
    fclose(to);
    assert_string_equal(text, "name           n  last\ncaf\xc3\xa9|au lait  12  \n"
                              "| name | n | last |\n|---|---:|---|\n| caf\xc3\xa9\\|au lait | 12 |  |\n");
}

static void as_csv(void **state)
{
    static const struct result_column columns[] = {{.key = "name"}, {.key = "n"}, {.key = "nodes"}, {.key = "last"}};
    struct result_table *t = results_table(section, columns, COUNT(columns), NULL);
    char text[256] = "";
    FILE *to = fmemopen(text, sizeof text, "w");

    (void)state;
    assert_non_null(to);
    result_text(t, "a,\"b\"");
    result_number(t, NAN);
    result_text(t, "%s", "");
    for (int i = 0; i < 20; i++)
        result_append(t, "%s%d", i ? " " : "", i);
    result_unknown(t, "not known");
    assert_int_equal(results_csv(section, to, &err), ST_OK);
    fclose(to);
    assert_string_equal(text, "name,n,nodes,last\r\n"
                              "\"a,\"\"b\"\"\",,0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19,\r\n");
}

static void each_line_in_its_place(void **state)
{
    static const char *const wanted[] = {"<p>plain, more</p>",  "<p class=\"item\">item</p>", "<p>info</p>",
                                         "<p class=\"warn\">d", "<p class=\"warn\">w",        "<p>note"};
    const char *at;
    char *text;

    (void)state;
    result_line(section, RESULT_PLAIN, "plain");
    result_more(section, ", %s", "mo");
    result_more(section, "re");
    result_gap(section);
    result_line(section, RESULT_PLAIN, "  item");
    result_line(section, RESULT_INFO, "info");
    result_line(section, RESULT_LOG, "log\n");
    result_line(section, RESULT_DOUBT, "doubt");
    result_line(section, RESULT_WARNING, "warning");
    result_line(section, RESULT_NOTE, "note");
    capture_begin(&out, 1);
    assert_int_equal(results_say(section, RESULT_TEXT, &err), ST_OK);
    assert_string_equal(capture_end(&out), "plain, more\n\n  item\nINFO: info\nINFO: log?\nINFO: doubt\n");
    capture_begin(&out, 2);
    assert_int_equal(results_say(section, RESULT_TEXT, &err), ST_OK);
    assert_string_equal(capture_end(&out), "WARN: warning\n");
    at = text = page();
    for (size_t i = 0; i < COUNT(wanted); i++)
        assert_non_null(at = strstr(at, wanted[i]));
    assert_null(strstr(text, "log"));
    free(text);
}

/* At blanks, within 80 columns; a word that is longer has a line of its own. A verdict has no colour where no terminal is. */
static void wrapped_lines(void **state)
{
    char word[100] = "";

    (void)state;
    memset(word, 'w', 90);
    result_wrapped(section, RESULT_TITLE | RESULT_BAD, 4, "  %s %s %s and an ending", "begins with a few words", word,
                   "then some that go on until the line is full and needs another one");
    capture_begin(&out, 1);
    assert_int_equal(results_say(section, RESULT_TEXT, &err), ST_OK);
    fflush(stdout);
    capture_end(&out);
    assert_memory_equal(out.text, "  begins with a few words\n    wwww", 34);
    assert_non_null(
        strstr(out.text, "w\n    then some that go on until the line is full and needs another one and an\n    ending\n"));
}

static void nothing_for_a_page(void **state)
{
    char *text;

    (void)state;
    result_line(section, RESULT_LOG, "log");
    results_table(section, &(struct result_column){.heading = "no rows"}, 1, NULL);
    text = page();
    assert_null(strstr(text, "Nodes"));
    assert_null(strstr(text, "no rows"));
    free(text);
}

static void numbers_of_pages(void **state)
{
    char text[RESULT_SHOWN_SIZE];

    (void)state;
    assert_string_equal(result_shown(0.123456, text), "0.1235");
    assert_string_equal(result_shown(NAN, text), "NaN");
    assert_string_equal(result_shown(-INFINITY, text), "-∞");
}

/* No memory for the tree: builders go on, and rendering says so. */
static void without_memory(void **state)
{
    struct result_section *none = NULL;
    struct results no_parts = {.report = NULL};

    (void)state;
    result_line(none, RESULT_PLAIN, "line");
    result_figure(none, "name", "", "1");
    result_text(results_table(none, &(struct result_column){.title = "t"}, 1, NULL), "cell");
    assert_int_equal(results_say(none, RESULT_TEXT, &err), ST_NOMEM);
    assert_int_equal(results_write_page(&no_parts, (const int[]){0}, 1, NULL, path, &err), ST_NOMEM);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_table_everywhere), TEST(as_wide_as_the_widest), TEST(as_csv),           TEST(each_line_in_its_place),
        TEST(nothing_for_a_page),   TEST(wrapped_lines),         TEST(numbers_of_pages), TEST(without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
