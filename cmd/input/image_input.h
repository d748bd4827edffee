/* SPDX-License-Identifier: Apache-2.0 */
/* image_input.h - converts an image to the content of a model's input: channels, size, normalisation, quantization.
 *
 * The input is [1,H,W,C], [H,W,C] or [H,W] with C of 1, 3 or 4, or the same with channels first; [N,...] gets the image N times. In
 * this order:
 *
 *   1. Channels: gray is repeated to RGB; RGB becomes gray by (19595 R + 38470 G + 7471 B + 32768) >> 16 (ITU-R BT.601, as Pillow);
 *      a missing alpha is 255; an alpha without a channel in the input is dropped.
 *   2. Size: bilinear between pixel centers, source = (x + 0.5) * width / new_width - 0.5, clamped to the image, without averaging
 *      when it shrinks, as TensorFlow's resize with half_pixel_centers and OpenCV's INTER_LINEAR. The aspect ratio is not kept.
 *      Nearest: floor((x + 0.5) * width / new_width).
 *   3. Numbers: (pixel - mean) / std. Quantized inputs get that by scale and zero point, rounded to nearest, halves away from zero,
 *      and clamped. Mean and std are 127.5 if neither is given; if one is given, the other is 0 or 1. If neither is given, UINT8
 *      inputs get rounded pixels and INT8 rounded pixels less 128, as in TFLite's evaluation tools; other integers get rounded
 *      pixels, but quantized INT16 inputs are normalised. */
#pragma once

#include "cmd/input/image.h"
#include "lib/model/model.h"
#include "lib/tensor/tensor.h"

#define IMAGE_MAX_CHANNELS 4
#define IMAGE_TEXT_SIZE    160

/* RESIZE_NONE refuses images of another size. */
enum image_resize { RESIZE_BILINEAR, RESIZE_NEAREST, RESIZE_NONE };

/* LAYOUT_AUTO takes channels as last if the last dimension is 1, 3 or 4, else as first. */
enum image_layout { LAYOUT_AUTO, LAYOUT_NHWC, LAYOUT_NCHW };

struct image_options {
    enum image_resize resize;
    enum image_layout layout;
    bool bgr; /* channel 0 of the input is blue */
    double mean[IMAGE_MAX_CHANNELS], std[IMAGE_MAX_CHANNELS];
    uint32_t n_mean, n_std; /* 0: not given; 1: for all channels; else one for each channel of the input */
};

/* Parse "127.5" or "123.68,116.78,103.94" into out and *n; "" gives 0. Fails with ST_USAGE, naming `flag`, for malformed numbers
 * and, if `positive`, for values that are not above 0. */
enum status image_read_numbers(const char *flag, const char *text, bool positive, double out[IMAGE_MAX_CHANNELS], uint32_t *n,
                               struct err *err);

/* Write the image to t->data, which is allocated, and a description of the conversion to text: "JPEG 640 x 480 RGB, bilinear to 224
 * x 224, (pixel - 127.5) / 127.5". *cut counts elements beyond the range of a quantized type. Fails with ST_USAGE, the message
 * beginning with `what`, if the tensor's shape or type or the options do not suit an image. */
enum status image_to_tensor(const struct image *im, const struct image_options *o, const char *what, const struct tensor *t,
                            char text[IMAGE_TEXT_SIZE], size_t *cut, struct err *err);

/* ---- --input_from_metadata: the normalization of images that the model's metadata asks for ---- */

/* Put mean and std of input `input` of a subgraph into *o, if that input, `t`, holds floats; 8-bit inputs get pixels, as in
 * TFLite's task library. ST_USAGE if the model has no metadata, or they name no normalization of it or one that is no numbers;
 * ST_BAD_MODEL if they are broken; ST_NOMEM. */
enum status image_metadata(const struct model *m, uint32_t subgraph, uint32_t input, const struct tensor *t,
                           struct image_options *o, struct err *err);
