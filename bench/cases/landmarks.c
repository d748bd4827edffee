/* SPDX-License-Identifier: Apache-2.0 */
/* landmarks.c - cases of MediaPipe's Landmarks2TransformMatrix, TransformTensorBilinear and TransformLandmarks. TensorFlow Lite has
 * no kernels for them, so there are no golden outputs. */
#include "bench/opcheck/opcheck.h"

#define CROP "left_rotation_idx=0 right_rotation_idx=4 output_height=5 output_width=6 scale_y=1.25 "

static const char crop[] = CROP "scale_x=1.5 target_rotation_radians=0.0 subset_idxs=0,1,2,4,6";
static const char crop_turned[] = CROP "scale_x=1.0 target_rotation_radians=0.5 subset_idxs=0,1,2,4,6";
static const char crop_beyond[] = CROP "scale_x=1.5 target_rotation_radians=0.0 subset_idxs=0,1,7";
static const char crop_of_none[] = CROP "scale_x=1.5 target_rotation_radians=0.0";
static const char small[] = "output_height=5 output_width=6";

#define OPTIONS(text) .version = 2, .flex = text
/* From 6x5 to the middle of an image. */
#define MATRIX {TYPE_FLOAT32, CASE_DIMS(1, 4, 4), .fill = FILL_GIVEN, .constant = true, .data = (const float[]){ \
    1.1f, 0.2f, 0, 0.5f, -0.2f, 0.9f, 0, 1.5f, 0, 0, 1, 0, 0, 0, 0, 1 }}

const struct op_case landmarks_to_matrix_cases[] = {
    { "crop", OPTIONS(crop), .no_golden = true, .in = { F32_IN(0, 20, 1, 7, 3) }, .out = { F32(1, 4, 4) } },
    { "turned", OPTIONS(crop_turned), .no_golden = true, .in = { F32_IN(0, 20, 1, 7, 3) }, .out = { F32(1, 4, 4) } },
    { "a landmark beyond the last", OPTIONS(crop_beyond), .fails = "landmark 7 of 7", .in = { F32(1, 7, 3) }, .out = { F32(1, 4, 4) } },
    { "rotation by landmarks that are not there", OPTIONS(crop), .fails = "0 and 4 of 3", .in = { F32(1, 3, 3) },
      .out = { F32(1, 4, 4) } },
    { "around none", OPTIONS(crop_of_none), .fails = "around 0 landmarks", .in = { F32(1, 7, 3) }, .out = { F32(1, 4, 4) } },
    { "no map", .version = 2, .custom = (const uint8_t *)"no FlexBuffer", .n_custom = 13, .fails = "not a FlexBuffers map", .in = { F32(1, 7, 3) }, .out = { F32(1, 4, 4) } },
    { "version 1", .flex = crop, .fails = "only version 2", .in = { F32(1, 7, 3) },
      .out = { F32(1, 4, 4) } },
    { 0 }
};

const struct op_case transform_tensor_bilinear_cases[] = {
    { "a turned part, some of it outside", OPTIONS(small), .no_golden = true, .in = { F32(1, 7, 9, 3), MATRIX },
      .out = { F32(1, 5, 6, 3) } },
    { "a matrix of 3x3", OPTIONS(small), .fails = "expected [1,4,4]", .in = { F32(1, 7, 9, 3), F32(1, 3, 3) },
      .out = { F32(1, 5, 6, 3) } },
    { "two images", OPTIONS(small), .fails = "a part of [1,h,w,c]", .in = { F32(2, 7, 9, 3), MATRIX }, .out = { F32(1, 5, 6, 3) } },
    { 0 }
};

const struct op_case transform_landmarks_cases[] = {
    { "in the plane", .version = 2, .no_golden = true, .in = { F32(1, 5, 2), MATRIX } },
    { "with depth", .version = 2, .no_golden = true, .in = { F32(1, 5, 3), MATRIX } },
    { "four dimensions", .version = 2, .fails = "expected [1,landmarks,2]", .in = { F32(1, 5, 4), MATRIX } },
    { 0 }
};
