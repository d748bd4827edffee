/* SPDX-License-Identifier: Apache-2.0 */
/* html_test.c - pages are well-formed whatever the words and numbers in them are. */
#include "cmd/print/html_chart.h"
#include "cmd/print/html_pictures.h"
#include "lib/testing/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/host/files.h"
#include "cmd/host/utf8.h"

static char path[64];
static struct err err;

static int begin(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/html_test.%ld.html", (long)getpid());
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

/* The page as text; takes `h`. */
static char *page_of(struct html *h)
{
    size_t bytes;
    void *text;

    TEST_OK(html_write(h, path, &err), err);
    html_free(h);
    TEST_OK(file_read_all(path, 1 << 24, &text, &bytes, &err), err);
    ((char *)text)[bytes] = '\0';
    return text;
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    while ((text = strstr(text, what))) {
        text += strlen(what);
        n++;
    }
    return n;
}

static void words_are_no_markup(void **state)
{
    static const char bad[] = "<b>&\"'\xff\x1b\xef\xbf\xbe";
    static const char good[] = "&lt;b&gt;&amp;&quot;&#39;\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd";
    const struct html_column column = {bad, false};
    struct html *h = html_new(bad, bad);
    char *page;

    (void)state;
    html_section(h, bad);
    html_note(h, "%s", bad);
    html_warning(h, "%s", bad);
    html_figure(h, bad, bad, bad);
    html_table(h, &column, 1);
    html_cell(h, "%s", bad);
    html_bar(h, bad, 0.5, false, bad);
    page = page_of(h);
    assert_int_equal(count(page, good), 13);
    assert_null(strstr(page, "<b>&\""));
    free(page);
}

/* What is open is closed by what comes next, also where a row is not full. */
static void all_is_closed(void **state)
{
    static const char *const elements[][2] = {
        {"<div", "</div>"}, {"<table", "</table>"}, {"<tr", "</tr>"}, {"<section", "</section>"}};
    const struct html_column columns[] = {{"a", false}, {"b", true}};
    struct html *h = html_new("t", "s");
    char *page;

    (void)state;
    html_figure(h, "f", "1", "");
    html_figure(h, "g", "2", "");
    html_table(h, columns, 2);
    html_cell(h, "1");
    html_table(h, columns, 2);
    html_cell(h, "1");
    html_cell(h, "2");
    html_section(h, "one");
    html_figure(h, "f", "1", "");
    html_section(h, "two");
    html_table(h, columns, 2);
    page = page_of(h);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(count(page, elements[i][0]), count(page, elements[i][1]));
    assert_int_equal(count(page, "class=\"figures\""), 2);
    free(page);
}

static void lines_keep_their_peaks(void **state)
{
    enum { N = 100000 };
    double *y = malloc(N * sizeof *y);
    struct html_series series = {"s", y, N, 1};
    struct html_axes axes = {"x", "y", 1, NAN, ""};
    struct html *h = html_new("t", "s");
    char *page;

    (void)state;
    assert_non_null(y);
    for (size_t i = 0; i < N; i++)
        y[i] = 10;
    y[77777] = 20;
    y[33333] = 0;
    html_lines(h, &series, 1, &axes);
    page = page_of(h);
    assert_int_equal(count(page, ",0.0 "), 1);
    assert_int_equal(count(page, ",1000.0 "), 1);
    assert_true(count(page, ",500.0 ") >= 400);
    assert_true(strlen(page) < 40000);
    free(page);
    free(y);
}

static void histogram_counts_all(void **state)
{
    double v[400];
    struct html_axes axes = {"ms", "runs", 1, NAN, ""};
    struct html *h = html_new("t", "s");
    size_t sum = 0;
    char *page, *at;

    (void)state;
    for (size_t i = 0; i < 400; i++)
        v[i] = (double)(i % 100);
    v[0] = 1e9; /* beyond the 99th percentile */
    v[1] = NAN;
    TEST_OK(html_histogram(h, v, 400, &axes, &err), err);
    page = page_of(h);
    for (at = page; (at = strstr(at, "\"><title>")); at++)
        sum += strtoul(at + strlen("\"><title>"), NULL, 10);
    assert_int_equal(sum, 399);
    assert_non_null(strstr(page, "1 above "));
    free(page);
}

/* Ranges without width, beyond what a double holds, and lists without a number. */
static void charts_of_anything(void **state)
{
    static const double lists[][4] = {{1, 1, 1, 1},           {0, 0, 0, 0},
                                      {NAN, NAN, NAN, NAN},   {INFINITY, 1, 2, -INFINITY},
                                      {-DBL_MAX, DBL_MAX},    {DBL_MIN, DBL_TRUE_MIN, 0, DBL_MIN},
                                      {1e9, 1e9 + 1e-6, 1e9}, {-1, -2, -3, -4}};
    struct html *h = html_new("t", "s");
    char *page;

    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (size_t n = 0; n <= 4; n++) {
            struct html_series series[] = {{"a", lists[i], n, 1}, {"b", lists[i], 4 - n, SIZE_MAX / 2}};
            struct html_axes axes = {"x", "y", 1e-3, lists[i][0], "mark"};

            html_lines(h, series, 2, &axes);
            html_points(h, series, 2, &axes);
            TEST_OK(html_histogram(h, lists[i], n, &axes, &err), err);
        }
    }
    html_bar(h, "nothing", NAN, true, "");
    html_bar(h, "too much", 7, true, "");
    page = page_of(h);
    assert_int_equal(count(page, "<svg"), count(page, "</svg>"));
    assert_null(strstr(page, "\"nan"));
    assert_null(strstr(page, "\"inf"));
    assert_null(strstr(page, "\"-inf"));
    free(page);
}

/* Of four decades: a decade is a quarter of what is left beside the lines of 0 and of what is not finite. */
static void points_by_powers_of_ten(void **state)
{
    static const double y[] = {1e-4, 1, 0, INFINITY, NAN, 1e-2};
    static const char *const labels[] = {"one", "two", "<3>", "four", "five", "six"};
    const struct html_series series = {"s", y, 6, 0, labels};
    const struct html_axes axes = {"node", "error", 1, 1e-3, "limit"};
    struct html *h = html_new("t", "s");
    char *page;

    (void)state;
    html_points(h, &series, 1, &axes);
    page = page_of(h);
    assert_int_equal(count(page, "<path class=\"p\""), 4);
    assert_non_null(strstr(page, "<path class=\"p\" d=\"M0 920h0\"><title>one</title>"));
    assert_non_null(strstr(page, "<path class=\"p\" d=\"M2000 80h0\"><title>two</title>"));
    assert_non_null(strstr(page, "<path class=\"p\" d=\"M4000 1000h0\"><title>&lt;3&gt;</title>"));
    assert_non_null(strstr(page, "<path class=\"r\" d=\"M6000 0h0\"><title>four</title>"));
    assert_non_null(strstr(page, "<path class=\"p\" d=\"M10000 500h0\"><title>six</title>"));
    assert_null(strstr(page, "five"));
    assert_non_null(strstr(page, ">0.01</text>"));
    assert_non_null(strstr(page, ">NaN, Inf</text>"));
    assert_non_null(strstr(page, "<line class=\"mid\" x1=\"0\" x2=\"100%\" y1=\"164.0\"")); /* 1e-3: at 0.29 of the height */
    free(page);
}

static void points_keep_their_peaks(void **state)
{
    enum { N = 5000 };
    double *y = malloc(N * sizeof *y);
    struct html_series series = {"s", y, N, 0};
    struct html_axes axes = {"x", "y", 1, NAN, ""};
    struct html *h = html_new("t", "s");
    char *page;

    (void)state;
    assert_non_null(y);
    for (size_t i = 0; i < N; i++)
        y[i] = 1e-3;
    y[4321] = INFINITY;
    y[1234] = 1;
    html_points(h, &series, 1, &axes);
    page = page_of(h);
    assert_int_equal(count(page, "<path class=\"p\""), HTML_MAX_POINTS - 1);
    assert_int_equal(count(page, "<path class=\"r\""), 1);
    assert_int_equal(count(page, " 80h0"), 1); /* the greatest of what is finite */
    free(page);
    free(y);
}

/* Half a power of ten each shade; equal neighbours are one rectangle. */
static void maps_of_shades(void **state)
{
    static const float cells[] = {0, 100, 100, INFINITY, 10, 31, 1e-9f, 0};
    const struct html_grid grid = {cells, 2, 4, 2, "where"};
    struct html *h = html_new("t", "s");
    char *page;

    (void)state;
    html_map(h, &grid);
    page = page_of(h);
    assert_non_null(strstr(page, "viewBox=\"0 0 4 2\""));
    assert_non_null(strstr(page, "class=\"h8\" shape-rendering=\"crispEdges\" d=\"M1 0h2v1h-2z\""));
    assert_non_null(strstr(page, "class=\"h9\" shape-rendering=\"crispEdges\" d=\"M3 0h1v1h-1z\""));
    assert_non_null(strstr(page, "class=\"h6\" shape-rendering=\"crispEdges\" d=\"M0 1h1v1h-1z\""));
    assert_non_null(strstr(page, "class=\"h7\" shape-rendering=\"crispEdges\" d=\"M1 1h1v1h-1z\""));
    assert_non_null(strstr(page, "class=\"h1\" shape-rendering=\"crispEdges\" d=\"M2 1h1v1h-1z\""));
    assert_int_equal(count(page, "crispEdges"), 5);
    assert_non_null(strstr(page, ">0.1</text>"));
    assert_non_null(strstr(page, ">100</text>"));
    assert_non_null(strstr(page, ">NaN, Inf</text>"));
    free(page);
}

static void no_memory_no_page(void **state)
{
    (void)state;
    html_section(NULL, "s");
    html_note(NULL, "n");
    html_bar(NULL, "b", 1, false, "");
    html_item(NULL, "i");
    html_points(NULL, &(struct html_series){"s", (double[]){1}, 1, 0}, 1, &(struct html_axes){"x", "y", 1, NAN, ""});
    html_map(NULL, &(struct html_grid){(float[]){1}, 1, 1, 1, ""});
    assert_int_equal(html_write(NULL, path, &err), ST_NOMEM);
    assert_int_not_equal(access(path, F_OK), 0);
    html_free(NULL);
}

static void disk_full(void **state)
{
    struct html *h = html_new("t", "s");

    (void)state;
    if (access("/dev/full", W_OK))
        skip();
    assert_int_equal(html_write(h, "/dev/full", &err), ST_FAILED);
    assert_string_equal(err.msg, "/dev/full: No space left on device");
    html_free(h);
}

static void characters(void **state)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"a", 1},        {"\xc3\xa9", 2},     {"\xe2\x82\xac", 3},     {"\xf0\x9f\x98\x80", 4},
                 {"\xc0\x80", 0}, {"\xed\xa0\x80", 0}, {"\xf4\x90\x80\x80", 0}, {"\x80", 0},
                 {"\xe2\x82", 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(utf8_length(cases[i].text), cases[i].length);
}

/* Words and boxes of pictures are no markup either; a page has room for so many bytes. */
static void pictures(void **state)
{
    const struct html_box boxes[] = {{-5, 2, 20, 6, false, "<a>"}, {1, 1, NAN, 1, true, "b"}, {3, 4, 2, 2, true, ""}};
    struct html_picture p = {"image/png", "\0\1\2\3", 4, 10, 8, "\"c\" & d", boxes, 3};
    struct html *h = html_new_with("t", "s", &html_with_pictures);
    char *large = calloc(1, HTML_PICTURES_MAX_BYTES), *page;

    (void)state;
    assert_true(html_pictures(h, "<name>", &p, 1));
    html_swatches(h, &(struct html_swatch){"<cat>", {1, 160, 255}}, 1);
    p.data = large;
    p.bytes = HTML_PICTURES_MAX_BYTES - 3;
    assert_false(html_pictures(h, "large", &p, 1));
    p.bytes = 5;
    assert_true(html_pictures(h, "five", &p, 1));
    page = page_of(h);
    free(large);
    assert_int_equal(count(page, "; img-src data:\""), 1);
    assert_int_equal(count(page, "<h3>&lt;name&gt;</h3>"), 1);
    assert_int_equal(count(page, "href=\"data:image/png;base64,AAECAw==\"/>"), 1);
    assert_int_equal(count(page, "href=\"data:image/png;base64,AAAAAAA=\"/>"), 1);
    assert_int_equal(count(page, "<title>&quot;c&quot; &amp; d</title>"), 2);
    assert_int_equal(count(page, "<rect class=\"box\" x=\"0.00\" y=\"2.00\" width=\"10.00\" height=\"6.00\"/>"), 2);
    assert_int_equal(count(page, "&lt;a&gt;</text>"), 2);
    assert_int_equal(count(page, "<rect class=\"box2\""), 2);
    assert_int_equal(count(page, "nan"), 0);
    assert_int_equal(count(page, "background:#01a0ff\"></i>&lt;cat&gt;</span>"), 1);
    assert_int_equal(count(page, "large"), 0);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(words_are_no_markup, begin, end),
        cmocka_unit_test_setup_teardown(all_is_closed, begin, end),
        cmocka_unit_test_setup_teardown(lines_keep_their_peaks, begin, end),
        cmocka_unit_test_setup_teardown(histogram_counts_all, begin, end),
        cmocka_unit_test_setup_teardown(charts_of_anything, begin, end),
        cmocka_unit_test_setup_teardown(points_by_powers_of_ten, begin, end),
        cmocka_unit_test_setup_teardown(points_keep_their_peaks, begin, end),
        cmocka_unit_test_setup_teardown(maps_of_shades, begin, end),
        cmocka_unit_test_setup_teardown(pictures, begin, end),
        cmocka_unit_test_setup_teardown(no_memory_no_page, begin, end),
        cmocka_unit_test_setup_teardown(disk_full, begin, end),
        cmocka_unit_test(characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
