/* SPDX-License-Identifier: Apache-2.0 */
/* report_test.c - JSON that any reader takes, and whole files only. */
#include "cmd/print/report.h"
#include "lib/testing/test_files.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/host/files.h"

static void round_trip(void **state)
{
    char dir[64], path[80];
    struct report *r = report_new();
    struct json *list;
    struct err err;
    size_t bytes;
    cJSON *back;
    void *text;

    (void)state;
    make_temp_dir(dir);
    snprintf(path, sizeof path, "%s/r.json", dir);
    json_string(r, report_root(r), "name", "caf\xc3\xa9 \"x\"\n");
    json_string(r, report_root(r), "broken", "a\xff\xc3(\xed\xa0\x80");
    json_string(r, report_root(r), "none", NULL);
    json_number(r, report_root(r), "nan", NAN);
    json_null(r, report_root(r), "nothing");
    list = json_array(r, report_root(r), "list");
    json_number(r, list, NULL, 1.5);
    json_bool(r, json_object(r, list, NULL), "yes", true);
    assert_int_equal(report_write(r, path, &err), ST_OK);
    assert_int_equal(file_read_all(path, 1 << 20, &text, &bytes, &err), ST_OK);
    back = cJSON_ParseWithLength(text, bytes);
    assert_non_null(back);
    assert_string_equal(cJSON_GetObjectItem(back, "name")->valuestring, "caf\xc3\xa9 \"x\"\n");
    assert_string_equal(cJSON_GetObjectItem(back, "broken")->valuestring,
                        "a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(back, "none")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(back, "nan")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(back, "nothing")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(back, "list")), 2);
    cJSON_Delete(back);
    free(text);
    report_free(r);
    unlink(path);
    rmdir(dir);
}

/* Every digit: neighbours of a number with few stay themselves. */
static void numbers_come_back(void **state)
{
    const double values[] = {0.11075, nextafter(0.11075, 0), nextafter(0.11075, 1), 1.0 / 3, 0, -1e-300, 1e300, 123456789012,
                             0x1p53};
    const size_t n = sizeof values / sizeof *values;
    char dir[64], path[80];
    struct report *r = report_new();
    struct json *list = json_array(r, report_root(r), "list");
    struct err err;
    size_t bytes;
    cJSON *back;
    void *text;

    (void)state;
    make_temp_dir(dir);
    snprintf(path, sizeof path, "%s/r.json", dir);
    for (size_t i = 0; i < n; i++)
        json_number(r, list, NULL, values[i]);
    TEST_OK(report_write(r, path, &err), err);
    TEST_OK(file_read_all(path, 1 << 20, &text, &bytes, &err), err);
    back = cJSON_ParseWithLength(text, bytes);
    assert_non_null(back);
    for (size_t i = 0; i < n; i++)
        assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(back, "list"), (int)i)->valuedouble == values[i]);
    cJSON_Delete(back);
    free(text);
    report_free(r);
    unlink(path);
    rmdir(dir);
}

static void failures_stick(void **state)
{
    struct report *r = report_new();
    struct err err;

    (void)state;
    json_number(r, NULL, "nowhere", 1);
    assert_int_equal(report_write(r, "/nonexistent/x", &err), ST_NOMEM);
    report_free(r);
    assert_int_equal(report_write(NULL, "/nonexistent/x", &err), ST_NOMEM);
}

static void disk_full(void **state)
{
    struct report *r = report_new();
    struct err err;

    (void)state;
    if (access("/dev/full", W_OK))
        skip();
    assert_int_equal(report_write(r, "/dev/full", &err), ST_FAILED);
    assert_string_equal(err.msg, "/dev/full: No space left on device");
    assert_int_equal(report_write(r, "/nonexistent/dir/x", &err), ST_IO);
    report_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(failures_stick),
        cmocka_unit_test(disk_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
