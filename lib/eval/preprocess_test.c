/* SPDX-License-Identifier: Apache-2.0 */
/* preprocess_test.c - presets against Pillow's and LiteRT's answers in testdata/preprocess.txt (scripts/reference/preprocess.py),
 * and what is refused. */
#include "lib/eval/preprocess.h"
#include "lib/testing/test.h"

#include <stdio.h>
#include <stdlib.h>

static struct err err;

/* The picture of scripts/reference/preprocess.py. */
static uint8_t *picture(uint32_t width, uint32_t height, uint32_t channels)
{
    uint8_t *out = malloc((size_t)width * height * channels), *to = out;

    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t c = 0; c < channels; c++)
                *to++ = (uint8_t)(x * x * 3 + y * y * 5 + x * y * 7 + c * 50 + 31);
    return out;
}

static float scale = 0.02f;
static int64_t zero_points[] = {3, 131};

static struct tensor input(enum tensor_type type, bool first, int32_t width, int32_t height, int32_t channels, void *data)
{
    struct tensor t = {.name = "x", .type = type, .rank = 4, .data = data};

    memcpy(t.dim, first ? (int32_t[]){1, channels, height, width} : (int32_t[]){1, height, width, channels}, 4 * sizeof *t.dim);
    t.bytes = type_bytes(type, tensor_elems(&t));
    if (type != TYPE_FLOAT32)
        t.quant = (struct quant){.n = 1, .scale = &scale, .zero_point = &zero_points[type == TYPE_UINT8]};
    return t;
}

static uint32_t hash_of(const struct tensor *t)
{
    uint32_t hash = 0;

    for (size_t i = 0; i < t->bytes; i++)
        hash = hash * 31 + ((const uint8_t *)t->data)[i];
    return hash;
}

static void as_others_have_it(void **state)
{
    FILE *f = fopen("testdata/preprocess.txt", "re");
    char line[256], preset[16], type[16], layout[8];
    uint32_t w, h, channels, width, height, hash, held = 0;
    float data[14 * 14 * 3];

    (void)state;
    if (!f)
        fail_msg("testdata/preprocess.txt: not run from the top of the project");
    while (fgets(line, sizeof line, f)) {
        struct preprocess p;
        struct tensor t;
        uint8_t *pixels;
        size_t cut;

        if (*line == '#')
            continue;
        assert_int_equal(
            sscanf(line, "%15s %u %u %u %15s %7s %u %u %x", preset, &w, &h, &channels, type, layout, &width, &height, &hash), 9);
        TEST_OK(preprocess_preset(preset, &p, &err), err);
        t = input(type_from_name(type), !strcmp(layout, "NCHW"), (int32_t)width, (int32_t)height, (int32_t)channels, data);
        pixels = picture(w, h, channels);
        TEST_OK(preprocess_run(&p, &(struct pixels){pixels, w, h, channels}, &t, &cut, &err), err);
        free(pixels);
        if (hash_of(&t) != hash)
            fail_msg("hash %08x, begins with %.9g %d, of %s", hash_of(&t), (double)data[0], *(uint8_t *)data, line);
        held++;
    }
    fclose(f);
    assert_true(held > 300);
}

static void channels(void **state)
{
    static const uint8_t red[] = {200, 10, 30, 77}, gray[] = {50, 1};
    float data[3];
    struct tensor one = input(TYPE_FLOAT32, false, 1, 1, 1, data), three = input(TYPE_FLOAT32, false, 1, 1, 3, data);
    struct preprocess p;
    size_t cut;

    (void)state;
    TEST_OK(preprocess_preset("squash", &p, &err), err);
    p.has_mean = true;
    p.std[0] = p.std[1] = p.std[2] = 1;
    TEST_OK(preprocess_run(&p, &(struct pixels){red, 1, 1, 4}, &three, &cut, &err), err);
    assert_true(data[0] == 200 && data[1] == 10 && data[2] == 30);
    p.bgr = true;
    p.mean[0] = 100;
    TEST_OK(preprocess_run(&p, &(struct pixels){red, 1, 1, 4}, &three, &cut, &err), err);
    assert_true(data[0] == 30 && data[1] == 10 && data[2] == 100);
    TEST_OK(preprocess_run(&p, &(struct pixels){gray, 1, 1, 2}, &three, &cut, &err), err);
    assert_true(data[0] == 50 && data[1] == 50 && data[2] == -50);
    p.mean[0] = 0;
    TEST_OK(preprocess_run(&p, &(struct pixels){red, 1, 1, 3}, &one, &cut, &err), err);
    assert_true(data[0] == 69); /* 0.299 * 200 + 0.587 * 10 + 0.114 * 30 */
    TEST_OK(preprocess_numbers(&p, red, 3, &three, &cut, &err), err);
    assert_true(data[0] == 200 && data[2] == 30);
    assert_int_equal(preprocess_numbers(&p, red, 4, &three, &cut, &err), ST_USAGE);
    assert_string_equal(err.msg, "4 bytes, where input 'x' takes 1 x 1 pixels of 3 bytes");
}

static void beyond(void **state)
{
    static const uint8_t black[3] = {0}, white[3] = {255, 255, 255};
    int8_t data[3];
    struct tensor t = input(TYPE_INT8, false, 1, 1, 3, data);
    struct preprocess p;
    size_t cut;

    (void)state;
    TEST_OK(preprocess_preset("torchvision", &p, &err), err);
    TEST_OK(preprocess_run(&p, &(struct pixels){white, 1, 1, 3}, &t, &cut, &err), err);
    assert_int_equal(cut, 1); /* (1 - 0.406) / 0.225 / 0.02 + 3 = 135 */
    assert_int_equal(data[2], 127);
    TEST_OK(preprocess_run(&p, &(struct pixels){black, 1, 1, 3}, &t, &cut, &err), err);
    assert_int_equal(cut, 0);
    assert_int_equal(data[0], -103); /* -0.485 / 0.229 / 0.02 + 3 */
}

static void presets(void **state)
{
    static const char *const bad[] = {"", "imagenet", "tflite:0.9", "timm:", "timm:0", "timm:1.5", "timm:x", "tfli"};
    float data[224 * 224 * 3];
    struct tensor t = input(TYPE_FLOAT32, false, 224, 224, 3, data);
    char text[PREPROCESS_TEXT_SIZE];
    struct preprocess p;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(preprocess_preset(bad[i], &p, &err), ST_USAGE);
    TEST_OK(preprocess_preset("tflite", &p, &err), err);
    assert_string_equal(preprocess_text(&p, &t, text),
                        "central square of 0.875, bilinear with legacy centers to 224 x 224, (pixel - 127.5) / 127.5");
    TEST_OK(preprocess_preset("timm:0.95", &p, &err), err);
    assert_string_equal(preprocess_text(&p, &t, text), "antialiased bicubic to a shorter side of 235, central crop to 224 x 224, "
                                                       "(pixel / 255 - 0.485,0.456,0.406) / 0.229,0.224,0.225");
}

static void refused(void **state)
{
    static const struct {
        enum tensor_type type;
        int32_t rank, dim[4];
        const char *preset;
        enum status st;
    } rows[] = {{TYPE_FLOAT32, 4, {1, 2, 2, 3}, "tflite", ST_OK},    {TYPE_FLOAT32, 4, {1, 3, 2, 2}, "tflite", ST_OK},
                {TYPE_FLOAT32, 3, {2, 2, 3}, "tflite", ST_OK},       {TYPE_FLOAT32, 3, {1, 2, 2}, "tflite", ST_OK},
                {TYPE_FLOAT32, 2, {2, 2}, "tflite", ST_OK},          {TYPE_FLOAT32, 4, {2, 2, 2, 3}, "tflite", ST_USAGE},
                {TYPE_FLOAT32, 4, {1, 2, 2, 4}, "tflite", ST_USAGE}, {TYPE_FLOAT32, 1, {12}, "tflite", ST_USAGE},
                {TYPE_FLOAT32, 4, {1, 0, 2, 3}, "tflite", ST_USAGE}, {TYPE_INT32, 4, {1, 2, 2, 3}, "tflite", ST_USAGE},
                {TYPE_UINT8, 4, {1, 2, 2, 3}, "tflite", ST_OK},      {TYPE_UINT8, 4, {1, 2, 2, 3}, "torchvision", ST_USAGE},
                {TYPE_STRING, 4, {1, 2, 2, 3}, "tflite", ST_USAGE},  {TYPE_FLOAT16, 4, {1, 2, 2, 3}, "torchvision", ST_OK}};
    static const uint8_t pixels[3];
    double data[12];
    size_t cut;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tensor t = {.name = "x", .type = rows[i].type, .rank = rows[i].rank, .data = data};
        struct preprocess p;

        memcpy(t.dim, rows[i].dim, sizeof rows[i].dim);
        TEST_OK(preprocess_preset(rows[i].preset, &p, &err), err);
        if (preprocess_run(&p, &(struct pixels){pixels, 1, 1, 3}, &t, &cut, &err) != rows[i].st)
            fail_msg("row %zu: %s", i, err.msg);
    }
    assert_int_equal(preprocess_run(&(struct preprocess){0}, &(struct pixels){pixels, 0, 1, 3},
                                    &(struct tensor){.name = "x", .type = TYPE_FLOAT32, .rank = 2, .dim = {2, 2}, .data = data},
                                    &cut, &err),
                     ST_USAGE);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(as_others_have_it), cmocka_unit_test(channels),
                                              cmocka_unit_test(beyond), cmocka_unit_test(presets), cmocka_unit_test(refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
