/* SPDX-License-Identifier: Apache-2.0 */
/* image_fuzz.c - fuzz target: any bytes decode to an image that goes into an input, or fail with one message. */
#include "lib/testing/fuzz.h"

#include <stdlib.h>

#include "cmd/input/image_input.h"

static volatile unsigned long sink;

/* libpng and libjpeg take their time over what decodes; the readers' own limits are met far below that. */
#define MOST_PIXELS ((size_t)1 << 20)

static void into_input(const struct image *im, enum tensor_type type, int32_t channels)
{
    static uint8_t data[5 * 3 * 4 * 4];
    struct tensor t = {.name = "t", .type = type, .data = data};
    struct image_options options = {.resize = RESIZE_BILINEAR};
    char text[IMAGE_TEXT_SIZE];
    struct err err;
    size_t cut;

    if (tensor_set_shape(&t, (int32_t[]){1, 5, 3, channels}, 4, &err) || image_to_tensor(im, &options, "x", &t, text, &cut, &err))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct image im;
    struct err err = {""};
    enum status st = image_decode(data, bytes, "file", &im, &err);
    size_t n = st ? 0 : (size_t)im.width * im.height * im.channels;

    if ((st != ST_OK) != (*err.msg != '\0') || (st && im.pixels))
        abort();
    for (size_t i = 0; i < n; i++)
        sink += im.pixels[i];
    if (n && n < MOST_PIXELS) {
        into_input(&im, TYPE_FLOAT32, 3);
        into_input(&im, TYPE_INT8, 1);
        into_input(&im, TYPE_UINT8, 4);
    }
    image_free(&im);
    *err.msg = '\0';
    st = image_decode_numbers(data, bytes, "file", &im, &err);
    if ((st != ST_OK) != (*err.msg != '\0') || (st && im.pixels))
        abort();
    image_free(&im);
    return 0;
}
