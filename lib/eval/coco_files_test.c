/* SPDX-License-Identifier: Apache-2.0 */
/* coco_files_test.c - what is no data set is refused in one sentence with its byte, and what contradicts itself is counted. */
#include "lib/eval/coco_files.h"
#include "lib/eval/json_stream.h"
#include "lib/testing/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];
static struct err err;

static int begin(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/coco_files_test.%ld.json", (long)getpid());
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static void put(const char *text, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void put_text(const char *text)
{
    put(text, strlen(text));
}

static enum status read_truth(const char *text, size_t n, struct coco_data *data)
{
    *data = (struct coco_data){0};
    put(text, n);
    return coco_read_truth(path, data, &err);
}

/* The file must be refused, with its path and this text. */
static void refuse(const char *text, const char *message)
{
    struct coco_data data;

    assert_int_equal(read_truth(text, strlen(text), &data), ST_USAGE);
    if (!strstr(err.msg, message) || !strstr(err.msg, path))
        fail_msg("\"%s\" is not in: %s", message, err.msg);
    coco_data_free(&data);
}

#define IMAGES     "\"images\":[{\"id\":1},{\"id\":-7,\"file_name\":\"a\\u00e9.jpg\"},{\"id\":1}]"
#define CATEGORIES "\"categories\":[{\"id\":3,\"name\":\"cat\\n\\ud83d\\ude00\"},{\"id\":2,\"supercategory\":null}]"

static void refusals(void **state)
{
    (void)state;
    refuse("", "byte 0: the file ends where '{' is expected");
    refuse("[1]", "'[' where '{' is expected");
    refuse("{}", "there is no \"images\"");
    refuse("{" IMAGES "}", "there is no \"categories\"");
    refuse("{" IMAGES "," CATEGORIES "}", "there is no \"annotations\"");
    refuse("{" IMAGES "," CATEGORIES ",\"annotations\":[]} x", "more text behind the document");
    refuse("{\"images\":[{\"id\":1.5}]}", "1.5 is no whole number");
    refuse("{\"images\":[{\"id\":1e17}]}", "1e+17 is no whole number up to 2^53");
    refuse("{\"images\":[{\"name\":\"x\"}]}", "without \"id\"");
    refuse("{\"images\":[{\"id\":\"7\"}]}", "no number");
    refuse("{\"annotations\":[{\"id\":1,\"image_id\":1,\"category_id\":3}]}", "annotation 0 has no \"bbox\"");
    refuse("{\"annotations\":[{\"id\":1,\"bbox\":[1,2,3]}]}", "\"bbox\" has 3 numbers, not 4");
    refuse("{\"annotations\":[{\"id\":1,\"bbox\":[1,2,3,1e999]}]}", "1e999 is too large for a number");
    refuse("{\"annotations\":[{\"id\":1,\"bbox\":[1,2,3,NaN]}]}", "no number");
    refuse("{\"x\":01}", "no number");
    refuse("{\"x\":1.}", "no number");
    refuse("{\"x\":\"\\q\"}", "a backslash before a character");
    refuse("{\"categories\":[{\"id\":1,\"name\":\"\\u0000\"}]}", "\\u0000 in a text");
    refuse("{\"x\":\"\\ud800\"}", "half of a surrogate pair");
    refuse("{\"x\":\"\n\"}", "a control character in a text");
    refuse("{\"x\":tru}", "no JSON value");
}

static const char good[] = "{\"info\":{\"a\":[1,{\"b\":[]}],\"c\":true,\"d\":null,\"e\":-1.5e-3}," IMAGES "," CATEGORIES
                           ",\"annotations\":["
                           "{\"id\":5,\"image_id\":1,\"category_id\":3,\"bbox\":[1,2,3,4],\"area\":7,\"segmentation\":[[1,2]]},"
                           "{\"id\":0,\"image_id\":-7,\"category_id\":2,\"bbox\":[1,2,3,4],\"iscrowd\":1},"
                           "{\"id\":6,\"image_id\":9,\"category_id\":2,\"bbox\":[1,2,3,4],\"iscrowd\":false},"
                           "{\"id\":7,\"image_id\":1,\"category_id\":9,\"bbox\":[1,2,3,4]}]}\n";

static void reads(void **state)
{
    static const char found[] = "[{\"image_id\":1,\"category_id\":2,\"bbox\":[0,0,1,1],\"score\":0.5},"
                                "{\"image_id\":1,\"category_id\":4,\"bbox\":[0,0,1,1],\"score\":1}]";
    struct coco_data d;

    (void)state;
    TEST_OK(read_truth(good, strlen(good), &d), err);
    assert_int_equal(d.set.n_images, 2);
    assert_true(d.images[0].id == -7 && d.images[1].id == 1);
    assert_int_equal(d.set.n_categories, 2);
    assert_true(d.categories[0].id == 2 && !strcmp(d.categories[1].name, "cat\n\xf0\x9f\x98\x80"));
    assert_int_equal(d.set.n_truths, 2);
    assert_true(d.set.truths[0].image == 0 && d.set.truths[0].crowd && d.set.truths[0].never_counts);
    assert_true(d.set.truths[0].area == 12 && d.set.truths[1].area == 7 && d.set.truths[1].category == 1);
    assert_true(d.truths_of_unknown_images == 1 && d.truths_of_unknown_categories == 1 && d.truths_of_id_0 == 1);
    assert_true(d.truths_without_area == 1 && d.truths_of_one_id == 0);
    put_text(found);
    TEST_OK(coco_read_detections(path, &d, &err), err);
    assert_true(d.set.n_detections == 1 && d.detections_of_unknown_categories == 1);
    put_text("[{\"image_id\":2,\"category_id\":4,\"bbox\":[0,0,1,1],\"score\":1}]");
    assert_int_equal(coco_read_detections(path, &d, &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "detection 0 is of image 2, which the ground truth of 2 images does not list"));
    put_text("[{\"image_id\":1,\"category_id\":4,\"bbox\":[0,0,1,1]}]");
    assert_int_equal(coco_read_detections(path, &d, &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "detection 0 has no \"score\""));
    coco_data_free(&d);
    assert_int_equal(coco_read_truth("/nonexistent.json", &d, &err), ST_IO);
}

/* Cut anywhere, and with any byte changed, it is read or refused. */
static void damage(void **state)
{
    struct coco_data d;
    char text[sizeof good];
    uint64_t seed = 49;

    (void)state;
    for (size_t n = 0; n + 2 < sizeof good; n++) {
        assert_int_equal(read_truth(good, n, &d), ST_USAGE);
        coco_data_free(&d);
    }
    for (int i = 0; i < 2000; i++) {
        enum status st;

        memcpy(text, good, sizeof good);
        for (int k = 0; k < 1 + i % 3; k++)
            text[test_random(&seed) % (sizeof good - 1)] = (char)test_random(&seed);
        st = read_truth(text, sizeof good - 1, &d);
        assert_true(st == ST_OK || (st == ST_USAGE && strstr(err.msg, path)));
        coco_data_free(&d);
    }
}

/* Values within each other, and texts beyond the buffer and beyond the room for them. */
static void sizes(void **state)
{
    enum { LONG = 200000 };
    char *text = malloc(LONG + 100), name[8];
    struct json_stream *s;

    (void)state;
    assert_non_null(text);
    memset(text, '[', 1000);
    text[1000] = '\0';
    refuse("{\"x\":[[[[", "the file ends");
    put(text, 1000);
    TEST_OK(json_stream_open(path, &s, &err), err);
    json_stream_skip(s);
    assert_int_equal(json_stream_close(s, &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "more than 512 values within each other"));
    memset(text, 'a', LONG);
    text[0] = text[LONG] = '"';
    memcpy(text + 4, "\xc3\xa9\xc3\xa9", 4);
    put(text, LONG + 1);
    TEST_OK(json_stream_open(path, &s, &err), err);
    json_stream_text(s, name, 7);
    assert_string_equal(name, "aaa\xc3\xa9"); /* the second character would end behind the room */
    TEST_OK(json_stream_close(s, &err), err);
    free(text);
}

/* ---- TFLite's message ---- */

static const char message[] =
    "# two images\n"
    "detection_results {\n"
    "  objects { class_id: 3 bounding_box { normalized_top: 0.25, normalized_bottom: 0.75; normalized_left: "
    "0.5 normalized_right: 1 } }\n"
    "  objects < class_id: 1 score: 1 bounding_box < normalized_bottom: 1e-1 normalized_right: .5 > >\n"
    "  image_name: \"a\\303\\251\\\"b.jpg\"\n  image_id: 9\n}\n"
    "detection_results { image_name: 'c.png' image_id: 4 }";

static const uint8_t binary[] = {10, 33, 10, 24, 8, 3,   18, 20, 13, 0,   0,  128, 62, 21, 0, 0,  64, 63,  29, 0, 0,
                                 0,  63, 37, 0,  0, 128, 63, 18, 1,  'a', 24, 9,   80, 10, 5, 18, 1,  'c', 24, 4};

static void messages(void **state)
{
    struct coco_data d;
    size_t n;

    (void)state;
    TEST_OK(read_truth(message, strlen(message), &d), err);
    assert_true(d.normalized && d.set.n_images == 2 && d.set.n_truths == 2 && d.set.n_categories == 2);
    assert_true(d.images[0].id == 4 && d.images[1].id == 9 && d.categories[1].id == 3);
    assert_string_equal(d.images[1].file, "a\xc3\xa9\"b.jpg");
    coco_truths_of(&d, 0, &n);
    assert_int_equal(n, 0);
    assert_true(coco_truths_of(&d, 1, &n)->category == 1 && n == 2);
    coco_place_truths(&d, 1, 200, 100);
    assert_true(d.truths[0].box.x == 100 && d.truths[0].box.y == 25 && d.truths[0].box.w == 100 && d.truths[0].box.h == 50);
    assert_true(d.truths[0].area == 5000);
    coco_data_free(&d);
    /* An unknown field (10) is passed over in the binary form. */
    TEST_OK(read_truth((const char *)binary, 35, &d), err);
    assert_true(d.set.n_images == 1 && d.set.n_truths == 1 && d.images[0].id == 9 && !strcmp(d.images[0].file, "a"));
    assert_true(d.truths[0].box.x == 0.5 && d.truths[0].box.y == 0.25 && d.truths[0].box.w == 0.5 && d.truths[0].box.h == 0.5);
    coco_data_free(&d);
    refuse("detection_results { objcts {} }", "there is no field 'objcts' here");
    refuse("detection_results { image_id: x }", "a number is expected behind image_id");
    refuse("detection_results { image_name: x }", "a text in quotation marks");
    refuse("detection_results { image_name: \"x }", "a text without an end");
    refuse("detection_results { objects: 3 }", "'{' is expected behind objects");
    refuse("detection_results { image_id: 1e300 }", "image_id is no number");
    refuse("detection_results { objects { } ", "the name of a field is expected");
}

/* Images without an id of their own are numbered. */
static void numbered(void **state)
{
    static const char same[] = "detection_results { image_name: \"a\" image_id: 5 objects { class_id: 1 } }\n"
                               "detection_results { image_name: \"b\" image_id: 5 objects { class_id: 2 } }";
    struct coco_data d;

    (void)state;
    TEST_OK(read_truth(same, strlen(same), &d), err);
    assert_true(d.set.n_images == 2 && d.images[1].id == 2 && d.truths[1].image == 1 && d.truths[1].category == 1);
    coco_data_free(&d);
}

/* Cut anywhere, and with any byte changed. */
static void damaged_messages(void **state)
{
    struct coco_data d;
    char text[sizeof message];
    uint64_t seed = 50;

    (void)state;
    for (int i = 0; i < 4000; i++) {
        const bool is_text = i % 2;
        const size_t size = is_text ? sizeof message - 1 : sizeof binary;
        size_t n;

        memcpy(text, is_text ? message : (const char *)binary, size);
        for (int k = 0; k < i % 4; k++)
            text[test_random(&seed) % size] = (char)test_random(&seed);
        n = i % 3 ? size : test_random(&seed) % size;
        if (read_truth(text, n, &d))
            assert_non_null(strstr(err.msg, path));
        coco_data_free(&d);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals), cmocka_unit_test(reads),    cmocka_unit_test(damage),           cmocka_unit_test(sizes),
        cmocka_unit_test(messages), cmocka_unit_test(numbered), cmocka_unit_test(damaged_messages),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
