/* SPDX-License-Identifier: Apache-2.0 */
/* preprocess.h - converts pixels to a model's input by the rules of the program that the model was trained or judged with.
 *
 * cmd/input/image_input.h has one rule for all models, without a crop. Here a preset names the rules, since accuracy depends on
 * them: which part of the picture is taken, between which pixels an element lies, and how it becomes a number.
 *
 *   preset        picture                                                             numbers
 *   tflite        central square of 0.875 of the sides, then legacy bilinear          (x - 127.5) / 127.5; 8 bits: truncated
 *   mlperf        shorter side to size / 0.875, legacy bilinear, then central crop    as tflite
 *   torchvision   shorter side to size / 0.875, antialiased bilinear, then crop       (x / 255 - mean) / std of ImageNet
 *   timm:F        shorter side to size / F, antialiased bicubic, then crop            as torchvision
 *   squash        all of the picture, half-pixel bilinear, aspect not kept            as tflite, 8 bits too
 *   stretch       likewise                                                            x / 255
 *   detr          all of the picture, antialiased bilinear, aspect not kept           as torchvision
 *   yolo          letterbox: to fit, half-pixel bilinear, in the middle of gray 114   x / 255
 *   yolox         letterbox in the upper left corner                                  x, blue first
 *
 * tflite has the numbers of TFLite's tools/evaluation in every bit: float32, the order of operations of its reference kernel, no
 * rounding before 8 bits; the scale of such an input is not looked at. The antialiased filters follow Pillow on 8 bits, which
 * torchvision's and timm's transforms call: two passes in fixed point, each rounded to 8 bits. */
#pragma once

#include "lib/tensor/tensor.h"

enum { PREPROCESS_CHANNELS = 3, PREPROCESS_TEXT_SIZE = 256, PREPROCESS_MAX_SIDE = 1 << 16 };

/* A decoded picture; borrowed. */
struct pixels {
    const uint8_t *data; /* [height,width,channels], top row first */
    uint32_t width, height;
    uint32_t channels; /* 1: gray, 2: gray and alpha, 3: RGB, 4: RGBA; alpha is dropped */
};

/* Crop and resize: the crop is of the picture, or of the resized picture, or there is none. A letterbox keeps the aspect without a
 * crop: what the picture does not cover of the input is gray. */
enum preprocess_order { PREPROCESS_CROP_FIRST, PREPROCESS_RESIZE_FIRST, PREPROCESS_SQUASH, PREPROCESS_LETTERBOX };

/* LEGACY: source = x * scale; HALF_PIXEL: source = (x + 0.5) * scale - 0.5; both take the two nearest pixels, also if the
 * picture shrinks. ANTIALIAS and BICUBIC: Pillow's, over all pixels that an element covers. */
enum preprocess_filter { PREPROCESS_LEGACY, PREPROCESS_HALF_PIXEL, PREPROCESS_ANTIALIAS, PREPROCESS_BICUBIC };

/* Rounding of sizes and of the place of the crop, for PREPROCESS_RESIZE_FIRST. */
enum preprocess_rounding { PREPROCESS_AS_TFLITE, PREPROCESS_AS_TORCHVISION, PREPROCESS_AS_TIMM };

/* LAYOUT of the input: AUTO takes channels as last if the last dimension is 1 or 3, else as first. */
enum preprocess_layout { PREPROCESS_LAYOUT_AUTO, PREPROCESS_NHWC, PREPROCESS_NCHW };

struct preprocess {
    enum preprocess_order order;
    enum preprocess_filter filter;
    enum preprocess_rounding rounding;
    enum preprocess_layout layout;
    double fraction;        /* of the sides that the crop keeps, above 0, at most 1 */
    bool bgr;               /* channel 0 of the input is blue */
    bool corner;            /* PREPROCESS_LETTERBOX: the picture is in the upper left corner, not in the middle */
    bool has_mean;          /* (x / unit - mean) / std, quantized by the input's scale; else the numbers of TFLite's tools */
    double unit;            /* 255, or 1: mean and std count in pixel values */
    double mean[3], std[3]; /* for red, green, blue */
    char preset[16];
};

/* Fill *p with the rules of a preset; "timm" is timm:0.875. ST_USAGE for other names, with a list of the presets. */
enum status preprocess_preset(const char *name, struct preprocess *p, struct err *err);

/* The picture's place in an input. */
struct preprocess_input {
    uint32_t width, height, channels;
    size_t row, column, channel; /* strides in elements */
};

/* Find the place of a picture in input `t`: [1,H,W,C], [H,W,C] or [1,H,W] with C of 1 or 3, or channels first. ST_USAGE, naming the
 * tensor, if it has another shape or a type that the rules have no numbers for. */
enum status preprocess_place(const struct preprocess *p, const struct tensor *t, struct preprocess_input *out, struct err *err);

/* Convert a picture to the content of input `t`, which has data. *cut counts numbers beyond the range of a quantized type, which
 * are clamped. ST_USAGE as preprocess_place has it and for a picture without pixels or with a side above PREPROCESS_MAX_SIDE;
 * ST_NOMEM. The message does not name the picture. */
enum status preprocess_run(const struct preprocess *p, const struct pixels *from, const struct tensor *t, size_t *cut,
                           struct err *err);

/* Convert pixels that have the size of the input already, [H,W,C]: the numbers alone. Fails as preprocess_run does. */
enum status preprocess_numbers(const struct preprocess *p, const uint8_t *pixels, size_t bytes, const struct tensor *t, size_t *cut,
                               struct err *err);

/* Where pixels of a picture are in the input: x * scale_x + left, y * scale_y + top. */
struct preprocess_map {
    double scale_x, scale_y, left, top;
};

/* Return the map of a picture without a crop: PREPROCESS_SQUASH or PREPROCESS_LETTERBOX. All sizes are above 0. */
struct preprocess_map preprocess_map_of(const struct preprocess *p, const struct preprocess_input *in, uint32_t width,
                                        uint32_t height);

/* Describe the steps for input `t`: "central square of 0.875, bilinear with legacy centers to 224 x 224, (pixel - 127.5) / 127.5".
 * Returns `out`; "" if the input has no place for a picture. */
const char *preprocess_text(const struct preprocess *p, const struct tensor *t, char out[PREPROCESS_TEXT_SIZE]);

/* ---- the steps, for tests ---- */

/* A picture that is resized to full_width x full_height, of which the window of width x height at (left, top) is wanted. */
struct resize {
    uint32_t full_width, full_height;
    uint32_t left, top, width, height;
};

/* Resize [height,width,channels] of the source part at (x, y) of size w x h; write out[resize.height,resize.width,channels]. The
 * first needs LEGACY or HALF_PIXEL, the second ANTIALIAS or BICUBIC and rounds to 8 bits. The second fails with ST_NOMEM. */
struct resize_source {
    const uint8_t *data; /* all of the picture */
    uint32_t stride;     /* pixels of a row of it */
    uint32_t x, y, w, h, channels;
};
void preprocess_bilinear(const struct resize_source *s, const struct resize *r, bool half_pixel, float *out);
enum status preprocess_antialias(const struct resize_source *s, const struct resize *r, bool bicubic, uint8_t *out,
                                 struct err *err);
