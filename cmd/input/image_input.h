/* SPDX-License-Identifier: Apache-2.0 */
/* image_input.h - an image as the content of a model's input: resized, its channels ordered, normalised, quantized.
 *
 * The input is [1,H,W,C], [H,W,C] or [H,W] with C of 1, 3 or 4, or the same with the channels before the rows; [N,...] gets the
 * image N times. In this order:
 *
 *  1. channels: gray becomes RGB by repetition, RGB gray by (19595 R + 38470 G + 7471 B + 32768) >> 16 (ITU-R BT.601, as Pillow),
 *     a missing alpha is 255, an alpha that the input has no place for is dropped.
 *  2. size: bilinear between the centers of pixels, source = (x + 0.5) * width / new_width - 0.5, kept within the image; no average
 *     over the pixels between when it shrinks, as TensorFlow's resize with half_pixel_centers and OpenCV's INTER_LINEAR.
 *     The aspect ratio is not kept. Nearest: floor((x + 0.5) * width / new_width).
 *  3. numbers: (pixel - mean) / std for floating-point inputs; quantized ones get that by their scale and zero point, rounded to
 *     nearest, halves away from zero, and cut to the type. Without mean and std given, both are 127.5, and 8-bit inputs
 *     get the pixels themselves instead, rounded (UINT8), less 128 (INT8), as TFLite's evaluation tools have it. Other
 *     integers get the pixels.
 */
#ifndef DELEGAUGE_CMD_IMAGE_INPUT_H
#define DELEGAUGE_CMD_IMAGE_INPUT_H

#include "cmd/input/image.h"
#include "lib/tensor/tensor.h"

#define IMAGE_MAX_CHANNELS 4
#define IMAGE_TEXT_SIZE    160

/* RESIZE_NONE: another size is refused. */
enum image_resize { RESIZE_BILINEAR, RESIZE_NEAREST, RESIZE_NONE };

/* LAYOUT_AUTO: channels last if the last dimension is 1, 3 or 4, else first. */
enum image_layout { LAYOUT_AUTO, LAYOUT_NHWC, LAYOUT_NCHW };

struct image_options {
    enum image_resize resize;
    enum image_layout layout;
    bool bgr; /* the first channel of the input is blue */
    double mean[IMAGE_MAX_CHANNELS], std[IMAGE_MAX_CHANNELS];
    uint32_t n_mean, n_std; /* 0: not given; 1: of all channels; else one for each of the input's, in the order of the input */
};

/* Read "127.5" or "123.68,116.78,103.94" into values and their number; "" gives 0. ST_USAGE names `flag`, also for a value that is
 * not above 0 if `positive`. */
enum status image_read_numbers(const char *flag, const char *text, bool positive, double out[IMAGE_MAX_CHANNELS], uint32_t *n,
                               struct err *err);

/* Write the image into t->data, which must be there, and its conversion into text[IMAGE_TEXT_SIZE]: "JPEG 640 x 480 RGB, bilinear
 * to 224 x 224, (pixel - 127.5) / 127.5". *cut is the number of elements beyond the range of a quantized type. ST_USAGE, beginning
 * with `what`, if the tensor's shape, its type or the options do not suit an image. */
enum status image_to_tensor(const struct image *im, const struct image_options *o, const char *what, const struct tensor *t,
                            char text[IMAGE_TEXT_SIZE], size_t *cut, struct err *err);

#endif
