/* SPDX-License-Identifier: Apache-2.0 */
/* compare_test.c - reports from anybody: what is wrong with them is said in one message, and what is right is compared. */
#include "cmd/compare/compare.h"
#include "lib/testing/test.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/host/files.h"
#include "cmd/print/report.h"

static char paths[2][64];
static struct err err;

enum { HERE = 12 }; /* reports of one pair */

/* A report with what is read of one; %s: the samples of a run, %d: the threads. */
static const char form[] =
    "{\"schema_version\":%d,\"tool\":\"benchmark_model\",\"tool_version\":\"0.1.0\",\"interrupted\":false,"
    "\"environment\":{\"time\":\"2026-01-01T00:00:00Z\",\"cpu\":\"C\",\"governor\":null,\"kernel\":\"L\","
    "\"delegate\":{\"name\":\"gpu\",\"device\":\"D\",\"software\":true}},"
    "\"model\":{\"path\":\"dir/m.tflite\",\"sha256\":\"%064d\"},"
    "\"parameters\":{\"num_threads\":%d,\"use_gpu\":true,\"json\":\"r.json\",\"gpu_variant\":\"\"},"
    "\"times_us\":{\"inference\":{\"samples\":[%s]}},"
    "\"profile\":{\"rows\":[{\"type\":\"ADD\",\"name\":\"a\",\"samples_us\":[1,2,3]},"
    "{\"type\":\"ADD\",\"name\":\"a\",\"samples_us\":[4,5,6]},{\"type\":\"%s\",\"name\":\"b\",\"samples_us\":[]}]}}";

static int begin(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "/tmp/compare_test.%ld.%d.json", (long)getpid(), i);
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(paths[0]);
    unlink(paths[1]);
    return 0;
}

static void put(int i, const char *text, size_t bytes)
{
    struct file_piece piece = {text, bytes};

    TEST_OK(file_write(paths[i], &piece, 1, &err), err);
}

static void put_form(int i, int hash, int threads, const char *samples, const char *op)
{
    char text[2000];

    snprintf(text, sizeof text, form, REPORT_SCHEMA_VERSION, hash, threads, samples, op);
    put(i, text, strlen(text));
}

/* Reads and compares the two files; what it made is freed by close_both. */
static enum status compare_both(struct compare *c)
{
    enum status st = ST_OK;

    *c = (struct compare){.flags = {.alpha = 0.05}, .threshold = 0.05};
    for (int i = 0; i < 2 && !st; i++) {
        c->reports[i] = calloc(1, sizeof *c->reports[i]);
        assert_non_null(c->reports[i]);
        c->n_reports[i] = 1;
        st = compare_read(paths[i], c->reports[i], &err);
    }
    return st ? st : compare_pairs(c, &err);
}

static void close_both(struct compare *c)
{
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < c->n_reports[i]; k++)
            compare_report_free(&c->reports[i][k]);
        free(c->reports[i]);
    }
    arena_free(&c->arena);
}

#define TEN_OLD "10,11,12,13,14,15,16,17,18,19"
#define TEN_NEW "20,21,22,23,24,25,26,27,28,29"

static void compares(void **state)
{
    struct compare c;

    (void)state;
    put_form(0, 1, 1, TEN_OLD, "MUL");
    put_form(1, 1, -1, TEN_NEW, "SUB"); /* -1 threads are 1 */
    TEST_OK(compare_both(&c), err);
    assert_int_equal(c.n_pairs, 1);
    assert_int_equal(c.pairs[0].n_differences, 0);
    assert_int_equal(c.pairs[0].whole.verdict, VERDICT_SLOWER);
    assert_true(fabs(c.pairs[0].whole.change.ratio - 24.5 / 14.5) < 1e-12);
    assert_true(c.pairs[0].gate == GATE_BEYOND && c.n_regressions == 1);
    /* Operators of one name are paired in the order of execution; what one side has alone is counted. */
    assert_int_equal(c.pairs[0].n_ops, 2);
    assert_true(c.pairs[0].ops[0].times.new_median == 2 && c.pairs[0].ops[1].times.new_median == 5);
    assert_true(c.pairs[0].n_only_before == 1 && c.pairs[0].n_only_after == 1);
    close_both(&c);
}

/* One process a side shows nothing below the floor of 25 %; slower by more is no regression below the threshold; faster is none
 * whatever the threshold. */
static void threshold(void **state)
{
    struct compare c;

    (void)state;
    put_form(0, 1, 1, "100,100.1,100.2,100.3,100.4,100.5", "MUL");
    put_form(1, 1, 1, "104,104.1,104.2,104.3,104.4,104.5", "MUL");
    TEST_OK(compare_both(&c), err);
    assert_int_equal(c.pairs[0].whole.verdict, VERDICT_NONE);
    assert_int_equal(c.pairs[0].gate, GATE_UNDECIDED);
    close_both(&c);
    put_form(1, 1, 1, "134,134.1,134.2,134.3,134.4,134.5", "MUL");
    TEST_OK(compare_both(&c), err);
    assert_int_equal(c.pairs[0].whole.verdict, VERDICT_SLOWER);
    assert_int_equal(c.pairs[0].gate, GATE_BEYOND);
    assert_int_equal(comparison_gate(&c.pairs[0].whole, 1.4), GATE_UNDECIDED);
    close_both(&c);
    put_form(1, 1, 1, "10,10.1,10.2,10.3,10.4,10.5", "MUL");
    TEST_OK(compare_both(&c), err);
    assert_int_equal(c.pairs[0].whole.verdict, VERDICT_FASTER);
    assert_int_equal(c.pairs[0].gate, GATE_UNDECIDED);
    close_both(&c);
}

/* Both sides of a pair as reports in memory: n of each, that of process i at `second` i of its side and with all runs of one
 * time. */
static void put_sides(struct compare *c, size_t n, const double us[2][HERE / 2], const int seconds[2][HERE / 2])
{
    static double runs[2][HERE / 2][10];
    static char times[2][HERE / 2][32];

    *c = (struct compare){.flags = {.alpha = 0.05}, .threshold = 0.05};
    for (int side = 0; side < 2; side++) {
        c->reports[side] = calloc(n, sizeof *c->reports[side]);
        assert_non_null(c->reports[side]);
        c->n_reports[side] = n;
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < 10; k++)
                runs[side][i][k] = us[side][i] + (double)k / 1e6;
            snprintf(times[side][i], sizeof times[side][i], "2026-01-01T00:00:%02dZ", seconds[side][i]);
            c->reports[side][i] = (struct compare_report){.time = times[side][i],
                                                          .cpu = "",
                                                          .governor = "",
                                                          .kernel = "",
                                                          .model = "m",
                                                          .sha256 = "",
                                                          .weights_sha256 = "",
                                                          .delegate = "",
                                                          .device = "",
                                                          .us = runs[side][i],
                                                          .n = 10};
        }
    }
    TEST_OK(compare_pairs(c, &err), err);
}

/* The process is the unit: runs that agree within each prove nothing while the processes differ. */
static void several_processes(void **state)
{
    static const double apart[2][HERE / 2] = {{100, 104, 98, 101, 97}, {103, 99, 105, 100, 102}};
    static const double slower[2][HERE / 2] = {{100, 140, 90, 120, 80}, {111, 154, 99.5, 133, 88}};
    static const int turns[2][HERE / 2] = {{0, 3, 4, 7, 8}, {1, 2, 5, 6, 9}},
                                     blocks[2][HERE / 2] = {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}};
    static const int mixed[][2][HERE / 2] = {{{3, 5, 6, 7, 9}, {1, 2, 4, 8, 10}}, {{1, 2, 4, 8, 10}, {3, 5, 6, 7, 9}}};
    struct compare c;

    (void)state;
    put_sides(&c, 5, apart, turns);
    assert_int_equal(c.n_pairs, 1);
    assert_int_equal(c.pairs[0].whole.verdict, VERDICT_NONE);
    assert_true(c.pairs[0].interleaved && c.pairs[0].whole.paired && !c.pairs[0].one_after_other);
    close_both(&c);
    /* Pairs that drifted together differ by 11 % each; without pairs the scatter hides it. */
    put_sides(&c, 5, slower, turns);
    assert_int_equal(c.pairs[0].gate, GATE_BEYOND);
    assert_int_equal(c.n_regressions, 1);
    close_both(&c);
    put_sides(&c, 5, slower, blocks);
    assert_true(c.pairs[0].one_after_other && !c.pairs[0].interleaved);
    assert_int_equal(c.pairs[0].whole.verdict, VERDICT_NONE);
    assert_int_equal(c.pairs[0].gate, GATE_UNDECIDED);
    close_both(&c);
    for (int i = 0; i < 2; i++) {
        put_sides(&c, 5, slower, mixed[i]);
        assert_false(c.pairs[0].one_after_other || c.pairs[0].interleaved);
        close_both(&c);
    }
}

static void not_comparable(void **state)
{
    struct compare c;

    (void)state;
    put_form(0, 1, 1, TEN_OLD, "MUL");
    put_form(1, 1, 2, TEN_OLD, "MUL");
    assert_int_equal(compare_both(&c), ST_USAGE);
    assert_non_null(strstr(err.msg, "num_threads is \"1\" in"));
    close_both(&c);
    put_form(1, 2, 1, TEN_OLD, "MUL");
    assert_int_equal(compare_both(&c), ST_USAGE);
    assert_non_null(strstr(err.msg, "model content (sha256) is \"0"));
    close_both(&c);
}

/* Reads the second file, and compares it where it can be read. A failure has one message, which names the file. */
static void try_second(const char *what)
{
    struct compare c;
    enum status st = compare_both(&c);

    if (st != ST_OK && st != ST_USAGE)
        fail_msg("%s: status %d: %s", what, st, err.msg);
    if (st == ST_USAGE && !strstr(err.msg, paths[1]))
        fail_msg("%s: the message names no file: %s", what, err.msg);
    close_both(&c);
}

/* Puts each of several values in the place of `item`, and takes it away. Returns how many reports it tried. */
static size_t replace_each(cJSON *root, cJSON *item)
{
    static const char *const others[] = {"null", "true",   "-1",    "1e999", "\"x\"",   "[]",
                                         "{}",   "[null]", "[[1]]", "[{}]",  "[1e999]", "[-1]"};
    cJSON saved = *item;
    size_t n = 0;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++, n++) {
        cJSON *other = cJSON_Parse(others[i]);
        char *text;

        assert_non_null(other);
        *item = *other;
        item->next = saved.next;
        item->prev = saved.prev;
        item->string = saved.string;
        text = cJSON_PrintUnformatted(root);
        assert_non_null(text);
        put(1, text, strlen(text));
        try_second(text);
        cJSON_free(text);
        *item = saved;
        cJSON_Delete(other);
    }
    return n;
}

static size_t replace_below(cJSON *root, cJSON *parent)
{
    size_t n = 0;

    for (cJSON *item = parent->child; item; item = item->next) {
        char *name = item->string;

        n += replace_each(root, item);
        n += replace_below(root, item);
        if (name) { /* as if it were missing */
            char *text;

            item->string = (char[]){"gone"};
            text = cJSON_PrintUnformatted(root);
            put(1, text, strlen(text));
            try_second(text);
            cJSON_free(text);
            item->string = name;
            n++;
        }
    }
    return n;
}

static void other_types(void **state)
{
    char text[2000];
    cJSON *root;

    (void)state;
    put_form(0, 1, 1, TEN_OLD, "MUL");
    snprintf(text, sizeof text, form, REPORT_SCHEMA_VERSION, 1, 1, "1,2,3", "MUL");
    root = cJSON_Parse(text);
    assert_non_null(root);
    assert_in_range(replace_below(root, root), 400, 4000);
    cJSON_Delete(root);
}

static void other_bytes(void **state)
{
    uint64_t seed = 9;
    char text[2000], bad[2000];
    size_t n;

    (void)state;
    put_form(0, 1, 1, TEN_OLD, "MUL");
    n = (size_t)snprintf(text, sizeof text, form, REPORT_SCHEMA_VERSION, 1, 1, "1,2,3", "MUL");
    for (size_t cut = 0; cut < n; cut++) {
        put(1, text, cut);
        try_second("cut off");
    }
    for (int i = 0; i < 1000; i++) {
        memcpy(bad, text, n);
        for (uint64_t k = 1 + test_random(&seed) % 3; k; k--)
            bad[test_random(&seed) % n] = (char)test_random(&seed);
        put(1, bad, n);
        try_second("bytes changed");
    }
}

static void expect(const char *text, const char *message)
{
    struct compare_report r;

    put(1, text, strlen(text));
    assert_int_equal(compare_read(paths[1], &r, &err), ST_USAGE);
    if (!strstr(err.msg, message))
        fail_msg("\"%s\" is not in: %s", message, err.msg);
    compare_report_free(&r);
}

static void messages(void **state)
{
    char text[2000];

    (void)state;
    expect("", "no JSON, from byte 0 of 0 on");
    expect("[]", "an object is expected, not a list");
    expect("{} x", "no JSON, from byte 2 of 4 on");
    expect("{}", "\"tool\" is missing");
    expect("{\"tool\":7}", "\"tool\" is a number, not a text");
    expect("{\"tool\":\"op_coverage\",\"schema_version\":2}",
           "\"tool\" is \"op_coverage\": reports of benchmark_model are compared");
    expect("{\"tool\":\"benchmark_model\",\"schema_version\":1}", "\"schema_version\" is 1, this build reads 2");
    expect("{\"tool\":\"benchmark_model\",\"schema_version\":1e999}", "\"schema_version\" is too large for a number");
    snprintf(text, sizeof text, form, REPORT_SCHEMA_VERSION, 1, 1, "1,NaN", "MUL");
    expect(text, "no JSON, from byte");
    snprintf(text, sizeof text, form, REPORT_SCHEMA_VERSION, 1, 1, "1,null", "MUL");
    expect(text, "\"samples\" of \"inference\" has null at 1, not a number");
    snprintf(text, sizeof text, form, REPORT_SCHEMA_VERSION, 1, 1, "1,1e999", "MUL");
    expect(text, "\"samples\" of \"inference\" has inf at 1, which is no time");
    snprintf(text, sizeof text, form, REPORT_SCHEMA_VERSION, 1, 1, "1,2,-3", "MUL");
    expect(text, "\"samples\" of \"inference\" has -3 at 2, which is no time");
    snprintf(text, sizeof text, form, REPORT_SCHEMA_VERSION, 1, 1, "1", "MUL");
    strcpy(strstr(text, "\"rows\":[") + strlen("\"rows\":["), "7]}}");
    expect(text, "a list of objects holds a number");
    snprintf(text, sizeof text, form, REPORT_SCHEMA_VERSION, 1, 1, "", "MUL");
    expect(text, "no timed run was made");
}

/* A list beyond any model, and a file beyond any report. */
static void too_much(void **state)
{
    static const char row[] = "{\"type\":\"A\",\"name\":\"n\",\"samples_us\":[]},";
    char start[2000], *text = malloc(READER_MAX_BYTES + 1), *at;
    struct compare_report r;

    (void)state;
    assert_non_null(text);
    snprintf(start, sizeof start, form, REPORT_SCHEMA_VERSION, 1, 1, "1", "MUL");
    *strstr(start, "{\"type\"") = '\0';
    at = text + sprintf(text, "%s", start);
    for (int i = 0; i < 20001; i++)
        at += sprintf(at, "%s", row);
    sprintf(at - 1, "]}}");
    expect(text, "\"rows\" of \"profile\" has 20001 members, at most 20000 are read");
    memset(text, ' ', READER_MAX_BYTES + 1);
    put(1, text, READER_MAX_BYTES + 1);
    assert_int_equal(compare_read(paths[1], &r, &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "at most"));
    compare_report_free(&r);
    memset(text, '[', 100000);
    text[100000] = '\0';
    expect(text, "no JSON, from byte 1000");
    free(text);
}

static void thresholds(void **state)
{
    static const char *const bad[] = {"",    "%",   "x",     "-1",  "5%%",
                                      "nan", "inf", "1e999", "5 %", "555555555555555555555555555555555555"};
    double v;

    (void)state;
    TEST_OK(compare_threshold("5%", &v, &err), err);
    assert_true(v == 0.05);
    TEST_OK(compare_threshold("12.5", &v, &err), err);
    assert_true(v == 0.125);
    TEST_OK(compare_threshold("0", &v, &err), err);
    assert_true(v == 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(compare_threshold(bad[i], &v, &err), ST_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(compares, begin, end),
        cmocka_unit_test_setup_teardown(threshold, begin, end),
        cmocka_unit_test(several_processes),
        cmocka_unit_test_setup_teardown(not_comparable, begin, end),
        cmocka_unit_test_setup_teardown(other_types, begin, end),
        cmocka_unit_test_setup_teardown(other_bytes, begin, end),
        cmocka_unit_test_setup_teardown(messages, begin, end),
        cmocka_unit_test_setup_teardown(too_much, begin, end),
        cmocka_unit_test(thresholds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
