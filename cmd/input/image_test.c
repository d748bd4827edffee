/* SPDX-License-Identifier: Apache-2.0 */
/* image_test.c - images that Pillow wrote and decoded (scripts/reference/golden_images.py), and files that claim what they do not
 * hold. */
#include "cmd/input/image_encode.h"
#include "lib/tensor/npy.h"
#include "lib/testing/test_files.h"

#include <stdlib.h>

static struct err err;

/* The elements of a .npy file of testdata/images, UINT8; the caller frees them. */
static uint8_t *golden(const char *name, struct npy *a)
{
    uint8_t *file = malloc(4096), *out;
    char path[96];

    assert_non_null(file);
    snprintf(path, sizeof path, "testdata/images/%s.npy", name);
    TEST_OK(npy_parse(file, read_file(path, file, 4096), path, a, &err), err);
    assert_non_null(out = malloc(a->elems * a->item_bytes));
    npy_copy(a, out);
    free(file);
    return out;
}

/* The largest distance of a pixel from the golden one. */
static int distance(const char *name)
{
    struct image im;
    struct npy a;
    uint8_t *expected = golden(name, &a);
    char path[96];
    int most = 0;

    snprintf(path, sizeof path, "testdata/images/%s", name);
    TEST_OK(image_open(path, &im, &err), err);
    assert_int_equal(im.height, a.dim[0]);
    assert_int_equal(im.width, a.dim[1]);
    assert_int_equal(im.channels, a.dim[2]);
    for (size_t i = 0; i < a.elems; i++)
        most = abs(im.pixels[i] - expected[i]) > most ? abs(im.pixels[i] - expected[i]) : most;
    image_free(&im);
    free(expected);
    return most;
}

static void without_a_library(void **state)
{
    static const char *const names[] = {"rgb.bmp", "palette.bmp", "rgba.bmp", "rgb.ppm", "gray.pgm"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(distance(names[i]), 0);
}

static void png(void **state)
{
    static const char *const names[] = {"rgb.png", "gray.png", "bits.png", "palette.png", "rgba.png", "rgb16.png"};
    struct image im;

    (void)state;
#ifndef WITH_PNG
    assert_int_equal(image_open("testdata/images/rgb.png", &im, &err), ST_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "install libpng (Debian: libpng-dev)"));
    test_no_package("png", "libpng-dev");
#endif
    (void)im;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(distance(names[i]), 0);
}

/* Decoders may round differently; Pillow's is the same library. */
static void jpeg(void **state)
{
    static const char *const names[] = {"rgb.jpg", "gray.jpg", "progressive.jpg"};
    struct image im;

    (void)state;
#ifndef WITH_JPEG
    assert_int_equal(image_open("testdata/images/rgb.jpg", &im, &err), ST_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "install libjpeg-turbo (Debian: libjpeg62-turbo-dev)"));
    test_no_package("jpeg", "libjpeg62-turbo-dev");
#endif
    (void)im;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_in_range(distance(names[i]), 0, 1);
}

static enum status decode(const void *file, size_t bytes)
{
    struct image im;
    enum status st = image_decode(file, bytes, "x", &im, &err);

    image_free(&im);
    return st;
}

static size_t load_image(const char *name, uint8_t *file)
{
    char path[96];

    snprintf(path, sizeof path, "testdata/images/%s", name);
    return read_file(path, file, 4096);
}

/* Every file cut anywhere, and with a header that asks for more than fits: one message, no pixels. */
static void cut_and_swollen(void **state)
{
    static const char *const names[] = {"rgb.bmp", "palette.bmp", "rgb.ppm", "gray.pgm", "rgb.png", "rgb.jpg"};
    uint8_t file[4096];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t n = load_image(names[i], file); n-- > 0;) {
            err.msg[0] = '\0';
            /* An end marker, padding of the last row, and a checksum behind the pixels may be missing. */
            if (decode(file, n))
                assert_true(err.msg[0] && strlen(err.msg) > 5);
            else
                assert_true(n + 4 >= load_image(names[i], file));
        }
}

static void bombs(void **state)
{
    static const char ppm[] = "P6 60000 60000 255\n";
    uint8_t file[4096];
    size_t n = load_image("rgb.bmp", file);

    (void)state;
    assert_int_equal(decode(ppm, sizeof ppm - 1), ST_USAGE);
    assert_string_equal(err.msg, "x: 60000 x 60000 are 3600000000 pixels; images of at most 134217728 are read");
    memcpy(file + 18, ((const uint8_t[]){255, 255, 255, 127, 255, 255, 255, 127}), 8);
    assert_int_equal(decode(file, n), ST_USAGE);
    assert_string_equal(err.msg, "x: 2147483647 x 2147483647 pixels of 24 bits at byte 54 are not within its 174 bytes");
#ifdef WITH_PNG
    n = load_image("rgb.png", file);
    memcpy(file + 16, ((const uint8_t[]){0, 0, 195, 80, 0, 0, 195, 80, 8, 2, 0, 0, 0, 196, 205, 170, 157}), 17);
    assert_int_equal(decode(file, n), ST_USAGE);
    assert_string_equal(err.msg, "x: 50000 x 50000 are 2500000000 pixels; images of at most 134217728 are read");
#endif
#ifdef WITH_JPEG
    n = load_image("rgb.jpg", file);
    for (size_t i = 0; i + 9 < n; i++)
        if (file[i] == 0xff && file[i + 1] == 0xc0)
            memset(file + i + 5, 0xee, 4);
    assert_int_equal(decode(file, n), ST_USAGE);
    assert_string_equal(err.msg, "x: 61166 x 61166 are 3741279556 pixels; images of at most 134217728 are read");
#endif
}

static void other_files(void **state)
{
    static const char *const cases[][2] = {
        {"GIF89a", "x begins as no PNG, JPEG, BMP, PPM (P6) or PGM (P5) file does"},
        {"P6 1 1", "x: no width, height and largest value up to 65535 before the pixels, but 1, 1 and 0"},
        {"P6 0 1 255\n", "x: no width, height and largest value up to 65535 before the pixels, but 0, 1 and 255"},
        {"P5 2 1 255\nx", "x: 2 x 1 pixels of 1 values up to 255 are not in the 1 bytes behind its header"},
        {"P5 # comment\n2 1\n# another\n99 zz", "x: a value of 122, where 99 is the largest"},
        {"P5 99999999999 1 255\nx", "x: 4294967295 x 1 are 4294967295 pixels; images of at most 134217728 are read"},
        {"BMxx", "x: a BMP of 4 bytes without the header of 40 that is read"},
    };
    uint8_t file[4096];
    size_t n;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        decode(cases[i][0], strlen(cases[i][0]));
        assert_string_equal(err.msg, cases[i][1]);
    }
    n = load_image("palette.bmp", file);
    file[46] = 1; /* colors of the palette */
    assert_int_equal(decode(file, n), ST_USAGE);
    file[28] = 4;
    assert_int_equal(decode(file, n), ST_USAGE);
    assert_string_equal(err.msg, "x: a BMP of 4 bits with compression 0; uncompressed ones of 8, 24 and 32 bits are read");
    assert_int_equal(image_decode("", 0, "x", &(struct image){0}, &err), ST_USAGE);
}

/* Indices of palettes, and gray of one bit, as they are in the files. */
static void numbers(void **state)
{
    static const uint8_t indices[] = {5, 5, 5, 2, 0, 0, 0, 6, 6, 2, 2, 1}, bits[] = {1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0};
    static const uint8_t pgm[] = "P5\n2 1\n20\n\x14\x03", deep[] = "P5\n1 1\n256\n\0\1";
    /* 2 x 1 pixels of a palette of two colors, the second of number 5 */
    static const uint8_t short_palette[] = {137, 80,  78, 71, 13, 10,  26,  10, 0,  0,   0,   13,  73,  72,  68,  82, 0,   0,
                                            0,   2,   0,  0,  0,  1,   8,   3,  0,  0,   0,   195, 252, 143, 184, 0,  0,   0,
                                            6,   80,  76, 84, 69, 0,   0,   0,  0,  0,   0,   165, 103, 185, 207, 0,  0,   0,
                                            11,  73,  68, 65, 84, 120, 156, 99, 96, 100, 5,   0,   0,   10,  0,   7,  250, 157,
                                            17,  121, 0,  0,  0,  0,   73,  69, 78, 68,  174, 66,  96,  130};
    uint8_t file[4096];
    size_t n = load_image("palette.bmp", file);
    struct image im;

    (void)state;
    TEST_OK(image_decode_numbers(file, n, "x", &im, &err), err);
    assert_int_equal(im.channels, 1);
    assert_memory_equal(im.pixels, indices, sizeof indices);
    image_free(&im);
    TEST_OK(image_decode_numbers(pgm, sizeof pgm - 1, "x", &im, &err), err);
    assert_memory_equal(im.pixels, ((const uint8_t[]){20, 3}), 2);
    image_free(&im);
    assert_int_equal(image_decode_numbers(deep, sizeof deep - 1, "x", &im, &err), ST_USAGE);
    assert_string_equal(err.msg, "x: values up to 256, where labels have 8 bits");
#ifdef WITH_PNG
    TEST_OK(image_open_numbers("testdata/images/palette.png", &im, &err), err);
    assert_memory_equal(im.pixels, indices, sizeof indices);
    image_free(&im);
    TEST_OK(image_open_numbers("testdata/images/bits.png", &im, &err), err);
    assert_memory_equal(im.pixels, bits, sizeof bits);
    image_free(&im);
    assert_int_equal(image_open_numbers("testdata/images/rgb16.png", &im, &err), ST_USAGE);
    assert_string_equal(err.msg, "testdata/images/rgb16.png: 16 bits a number, where labels have 8");
    assert_int_equal(image_decode_numbers(short_palette, sizeof short_palette, "x", &im, &err), ST_USAGE);
    assert_string_equal(err.msg, "x: color 5 of a palette of 2");
    TEST_OK(image_open_numbers("testdata/images/rgb.png", &im, &err), err);
    assert_int_equal(im.channels, 3);
    image_free(&im);
#endif
    (void)bits, (void)short_palette;
}

/* What is written is read again; a palette that is too short for an index is not. */
static void encoded(void **state)
{
    static const uint8_t palette[2][3] = {{1, 2, 3}, {200, 100, 50}};
    uint8_t pixels[] = {0, 1, 1, 0, 1, 0}, colors[3 * 64 * 48];
    const struct image labels = {.width = 3, .height = 2, .channels = 1, .pixels = pixels};
    const struct image photo = {.width = 64, .height = 48, .channels = 3, .pixels = colors};
    struct encoded file;
    struct image im;

    (void)state, (void)palette, (void)im;
    for (size_t i = 0; i < sizeof colors; i++)
        colors[i] = (uint8_t)(i / 3 % 64 * 3 + i / 192);
#ifdef WITH_PNG
    TEST_OK(image_encode_png(&labels, palette, 2, &file, &err), err);
    TEST_OK(image_decode(file.data, file.bytes, "x", &im, &err), err);
    assert_memory_equal(im.pixels, palette, sizeof palette);
    image_free(&im);
    TEST_OK(image_decode_numbers(file.data, file.bytes, "x", &im, &err), err);
    assert_memory_equal(im.pixels, pixels, sizeof pixels);
    image_free(&im);
    free(file.data);
    TEST_OK(image_encode_png(&photo, NULL, 0, &file, &err), err);
    TEST_OK(image_decode(file.data, file.bytes, "x", &im, &err), err);
    assert_memory_equal(im.pixels, colors, sizeof colors);
    image_free(&im);
    free(file.data);
#else
    assert_int_equal(image_encode_png(&labels, palette, 2, &file, &err), ST_UNSUPPORTED);
#endif
#ifdef WITH_JPEG
    TEST_OK(image_encode_jpeg(&photo, 95, &file, &err), err);
    TEST_OK(image_decode(file.data, file.bytes, "x", &im, &err), err);
    for (size_t i = 0; i < sizeof colors; i++)
        assert_true(abs(im.pixels[i] - colors[i]) < 20);
    image_free(&im);
    free(file.data);
#else
    assert_int_equal(image_encode_jpeg(&photo, 95, &file, &err), ST_UNSUPPORTED);
#endif
}

/* Two bytes a value, and the rows of a BMP from the top. */
static void unusual_files(void **state)
{
    static const uint8_t pgm[] = "P5\n2 1\n1000\n\x03\xe8\x01\xf4";
    uint8_t file[4096], *expected;
    struct image im;
    struct npy a;
    size_t n = load_image("rgb.bmp", file);

    (void)state;
    TEST_OK(image_decode(pgm, sizeof pgm - 1, "x", &im, &err), err);
    assert_true(im.pixels[0] == 255 && im.pixels[1] == 128);
    image_free(&im);
    memcpy(file + 22, ((const uint8_t[]){251, 255, 255, 255}), 4);
    TEST_OK(image_decode(file, n, "x", &im, &err), err);
    expected = golden("rgb.bmp", &a);
    for (int y = 0; y < 5; y++)
        assert_memory_equal(im.pixels + y * 21, expected + (4 - y) * 21, 21);
    image_free(&im);
    free(expected);
}

static void names(void **state)
{
    (void)state;
    assert_true(image_named("a.png") && image_named("x/y.JPEG") && image_named("b.Bmp") && image_named("c.pnm"));
    assert_false(image_named("png") || image_named("a.png.bin") || image_named("a.npy") || image_named(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_library), cmocka_unit_test(png),   cmocka_unit_test(jpeg),
        cmocka_unit_test(cut_and_swollen),   cmocka_unit_test(bombs), cmocka_unit_test(other_files),
        cmocka_unit_test(unusual_files),     cmocka_unit_test(names), cmocka_unit_test(numbers),
        cmocka_unit_test(encoded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
