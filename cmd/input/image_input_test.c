/* SPDX-License-Identifier: Apache-2.0 */
/* image_input_test.c - where pixels go and which numbers they become, against NumPy's (scripts/reference/golden_images.py). */
#include "cmd/input/image_input.h"
#include "lib/tensor/npy.h"
#include "lib/testing/test_files.h"

#include <math.h>
#include <stdlib.h>

static struct err err;
static char text[IMAGE_TEXT_SIZE];
static size_t cut;

static struct tensor tensor_of(enum tensor_type type, const int32_t *dim, int32_t rank, void *data)
{
    struct tensor t = {.name = "x", .type = type, .data = data};

    TEST_OK(tensor_set_shape(&t, dim, rank, &err), err);
    return t;
}

#define TENSOR(type, data, ...)                                                                                                    \
    tensor_of(type, (const int32_t[]){__VA_ARGS__}, (int32_t)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t)), data)

static enum status convert(const struct image *im, const struct image_options *o, const struct tensor *t)
{
    return image_to_tensor(im, o, "f.bmp", t, text, &cut, &err);
}

static const struct image_options pixels = {.mean = {0}, .std = {1}, .n_mean = 1, .n_std = 1};

static void resized_as_numpy_does(void **state)
{
    static const int sizes[][2] = {{10, 9}, {3, 4}, {1, 1}};
    uint8_t file[2048];
    struct image im;
    char path[96];

    (void)state;
    TEST_OK(image_open("testdata/images/rgb.bmp", &im, &err), err);
    for (int k = 0; k < 3; k++) {
        float out[270];
        struct tensor t = TENSOR(TYPE_FLOAT32, out, 1, sizes[k][0], sizes[k][1], 3);
        struct npy a;

        snprintf(path, sizeof path, "testdata/images/resized_%d_%d.npy", sizes[k][0], sizes[k][1]);
        TEST_OK(npy_parse(file, read_file(path, file, sizeof file), path, &a, &err), err);
        TEST_OK(convert(&im, &pixels, &t), err);
        for (size_t i = 0; i < a.elems; i++) {
            float want;

            memcpy(&want, a.data + i * 4, 4);
            assert_true(fabsf(out[i] - want) < 1e-4f);
        }
    }
    assert_string_equal(text, "BMP 7 x 5 RGB, bilinear to 1 x 1, (pixel - 0) / 1");
    image_free(&im);
}

static void nearest_and_none(void **state)
{
    uint8_t bytes[4] = {10, 20, 30, 40};
    struct image im = {"PGM", 4, 1, 1, bytes};
    float out[3];
    struct tensor t = TENSOR(TYPE_FLOAT32, out, 1, 3);
    struct image_options o = pixels;

    (void)state;
    o.resize = RESIZE_NEAREST;
    TEST_OK(convert(&im, &o, &t), err);
    assert_true(out[0] == 10 && out[1] == 30 && out[2] == 40);
    o.resize = RESIZE_NONE;
    assert_int_equal(convert(&im, &o, &t), ST_USAGE);
    assert_string_equal(err.msg, "f.bmp is 4 x 1 pixels, input 'x' FLOAT32[1,3] takes 3 x 1 (--image_resize=bilinear)");
}

/* Two pixels, RGB, into every order. */
static void channels_and_layouts(void **state)
{
    uint8_t bytes[6] = {1, 2, 3, 101, 102, 103};
    struct image im = {"PPM", 2, 1, 3, bytes};
    uint8_t out[16];
    struct tensor last = TENSOR(TYPE_UINT8, out, 2, 1, 2, 3), first = TENSOR(TYPE_UINT8, out, 1, 3, 1, 2),
                  four = TENSOR(TYPE_UINT8, out, 1, 2, 4), one = TENSOR(TYPE_UINT8, out, 1, 2);
    struct image_options o = {0};

    (void)state;
    TEST_OK(convert(&im, &o, &last), err);
    assert_memory_equal(out, ((uint8_t[]){1, 2, 3, 101, 102, 103, 1, 2, 3, 101, 102, 103}), 12); /* a batch of two */
    TEST_OK(convert(&im, &o, &first), err);
    assert_memory_equal(out, ((uint8_t[]){1, 101, 2, 102, 3, 103}), 6);
    TEST_OK(convert(&im, &o, &four), err);
    assert_memory_equal(out, ((uint8_t[]){1, 2, 3, 255, 101, 102, 103, 255}), 8);
    TEST_OK(convert(&im, &o, &one), err);
    assert_memory_equal(out, ((uint8_t[]){2, 102}), 2);
    o.bgr = true;
    TEST_OK(convert(&im, &o, &first), err);
    assert_memory_equal(out, ((uint8_t[]){3, 103, 2, 102, 1, 101}), 6);
    o.layout = LAYOUT_NHWC;
    assert_int_equal(convert(&im, &o, &first), ST_USAGE);
    im = (struct image){"PNG", 1, 1, 2, bytes};
    last = TENSOR(TYPE_UINT8, out, 1, 1, 4);
    TEST_OK(convert(&im, &(struct image_options){0}, &last), err);
    assert_memory_equal(out, ((uint8_t[]){1, 1, 1, 2}), 4);
}

/* TFLite's usual numbers where nothing is said. */
static void numbers_by_type(void **state)
{
    uint8_t bytes[3] = {0, 128, 255}, u8[3];
    struct image im = {"PGM", 3, 1, 1, bytes};
    int8_t i8[3];
    float f32[3];
    uint16_t f16[3];
    int32_t i32[3];
    struct tensor a = TENSOR(TYPE_FLOAT32, f32, 1, 3), b = TENSOR(TYPE_UINT8, u8, 1, 3), c = TENSOR(TYPE_INT8, i8, 1, 3),
                  d = TENSOR(TYPE_FLOAT16, f16, 1, 3), e = TENSOR(TYPE_INT32, i32, 1, 3), f = TENSOR(TYPE_BOOL, u8, 1, 3);
    struct image_options o = {0};

    (void)state;
    TEST_OK(convert(&im, &o, &a), err);
    assert_true(f32[0] == -1 && f32[1] == (float)(0.5 / 127.5) && f32[2] == 1);
    assert_string_equal(text, "PGM 3 x 1 gray, (pixel - 127.5) / 127.5");
    TEST_OK(convert(&im, &o, &b), err);
    assert_memory_equal(u8, bytes, 3);
    assert_string_equal(text, "PGM 3 x 1 gray, pixels as they are");
    TEST_OK(convert(&im, &o, &c), err);
    assert_true(i8[0] == -128 && i8[1] == 0 && i8[2] == 127);
    assert_string_equal(text, "PGM 3 x 1 gray, pixel - 128");
    TEST_OK(convert(&im, &o, &d), err);
    assert_true(half_to_float(f16[0]) == -1 && half_to_float(f16[2]) == 1);
    TEST_OK(convert(&im, &o, &e), err);
    assert_true(i32[0] == 0 && i32[1] == 128 && i32[2] == 255);
    assert_int_equal(convert(&im, &o, &f), ST_USAGE);
    assert_string_equal(err.msg, "f.bmp: an image has no place in input 'x' BOOL[1,3]");
}

static void quantized(void **state)
{
    uint8_t bytes[4] = {0, 128, 255, 129}, out[4];
    struct image im = {"PGM", 4, 1, 1, bytes};
    float scale = 1.0f / 64;
    int64_t zero_point = -1;
    struct tensor t = TENSOR(TYPE_INT8, out, 1, 4);
    struct image_options o = {.mean = {128}, .n_mean = 1, .std = {64}, .n_std = 1};

    (void)state;
    assert_int_equal(convert(&im, &o, &t), ST_USAGE);
    assert_string_equal(err.msg,
                        "f.bmp: input 'x' INT8[1,4] has no scale of its own, so --input_mean and --input_std mean nothing");
    t.quant = (struct quant){.n = 1, .scale = &scale, .zero_point = &zero_point};
    TEST_OK(convert(&im, &o, &t), err);
    assert_memory_equal(out, ((int8_t[]){-128, -1, 126, 0}), 4);
    assert_int_equal(cut, 1); /* -129 */
    assert_string_equal(text, "PGM 4 x 1 gray, (pixel - 128) / 64, quantized");
}

static void numbers_per_channel(void **state)
{
    uint8_t bytes[3] = {10, 20, 30};
    struct image im = {"PPM", 1, 1, 3, bytes};
    float out[3];
    struct tensor t = TENSOR(TYPE_FLOAT32, out, 1, 1, 3), gray = TENSOR(TYPE_FLOAT32, out, 1, 1, 1);
    struct image_options o = {.n_mean = 0};

    (void)state;
    TEST_OK(image_read_numbers("input_mean", "1,2,3", false, o.mean, &o.n_mean, &err), err);
    TEST_OK(image_read_numbers("input_std", "2", true, o.std, &o.n_std, &err), err);
    TEST_OK(convert(&im, &o, &t), err);
    assert_true(out[0] == 4.5f && out[1] == 9 && out[2] == 13.5f);
    assert_int_equal(convert(&im, &o, &gray), ST_USAGE);
    assert_string_equal(err.msg, "--input_mean has 3 numbers, the input 1 channels");
    assert_int_equal(image_read_numbers("input_std", "1,0", true, o.std, &o.n_std, &err), ST_USAGE);
    assert_string_equal(err.msg, "--input_std: '0' is no number above 0");
    assert_int_equal(image_read_numbers("input_std", "1,", true, o.std, &o.n_std, &err), ST_USAGE);
    assert_int_equal(image_read_numbers("input_std", ",1", true, o.std, &o.n_std, &err), ST_USAGE);
    assert_int_equal(image_read_numbers("input_mean", "1,2,3,4,5", false, o.mean, &o.n_mean, &err), ST_USAGE);
    TEST_OK(image_read_numbers("input_mean", "", false, o.mean, &o.n_mean, &err), err);
    assert_int_equal(o.n_mean, 0);
}

static void no_place(void **state)
{
    uint8_t byte = 1;
    struct image im = {"PGM", 1, 1, 1, &byte};
    float out[10];
    struct tensor flat = TENSOR(TYPE_FLOAT32, out, 10), two = TENSOR(TYPE_FLOAT32, out, 1, 2, 2, 2);
    struct image_options o = {0};

    (void)state;
    assert_int_equal(convert(&im, &o, &flat), ST_USAGE);
    assert_string_equal(err.msg,
                        "f.bmp: an image has no place in input 'x' FLOAT32[10]: that takes [N,H,W,C] or [N,C,H,W] with 1, 3 "
                        "or 4 channels");
    assert_int_equal(convert(&im, &o, &two), ST_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resized_as_numpy_does),
        cmocka_unit_test(nearest_and_none),
        cmocka_unit_test(channels_and_layouts),
        cmocka_unit_test(numbers_by_type),
        cmocka_unit_test(quantized),
        cmocka_unit_test(numbers_per_channel),
        cmocka_unit_test(no_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
