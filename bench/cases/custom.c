/* SPDX-License-Identifier: Apache-2.0 */
/* custom.c - cases of the custom operators that TensorFlow Lite's own sources hold. Its Python package has NumericVerify and
 * aeq.hadamard_rotation; the others have no golden outputs for that reason. */
#include "../opcheck.h"

static const char silent[] = "log_if_failed=false tolerance=5.0";
static const char strict[] = "log_if_failed=true tolerance=5.0";
static const char loose[] = "log_if_failed=true tolerance=0.05";
static const char rotate_4[] = "hadamard_size=4 random_binary_vector=1,1,1,1";
static const char rotate_16[] = "hadamard_size=16 random_binary_vector=1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1";
static const char rotate_64[] =
    "hadamard_size=64 "
    "random_binary_vector=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
    "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1";
static const char rotate_6[] = "hadamard_size=6 random_binary_vector=1,1,1,1,1,1";
static const char same_3d[] = "data_format=NDHWC ksize=1,2,3,2,1 padding=SAME strides=1,2,1,2,1";
static const char valid_3d[] = "data_format=NDHWC ksize=1,2,2,3,1 padding=VALID strides=1,1,2,1,1";
static const char wide_3d[] = "data_format=NDHWC ksize=1,9,1,1,1 padding=SAME strides=1,1,1,1,1";
static const char ncdhw[] = "data_format=NCDHW ksize=1,2,2,2,1 padding=SAME strides=1,1,1,1,1";
static const char full_3d[] = "data_format=NDHWC ksize=1,2,2,2,1 padding=FULL strides=1,1,1,1,1";
static const char batch_3d[] = "data_format=NDHWC ksize=2,2,2,2,1 padding=SAME strides=1,1,1,1,1";
static const char stride_0_3d[] = "data_format=NDHWC ksize=1,2,2,2,1 padding=SAME strides=1,1,0,1,1";

#define OPTIONS(text) .flex = text
#define REAL {{TYPE_FLOAT32}}

const struct op_case numeric_verify_cases[] = {
    { "int8", OPTIONS(silent), .in = { QUANT(INT8, .02f, -5, 3, 7), F32_IN(-3, 3, 3, 7) }, .out = REAL },
    { "uint8", OPTIONS(silent), .in = { QUANT(UINT8, .02f, 130, 2, 3, 5), F32_IN(-3, 3, 2, 3, 5) }, .out = REAL },
    { "int16", OPTIONS(silent), .in = { QUANT(INT16, .0001f, 0, 3, 7), F32_IN(-3, 3, 3, 7) }, .out = REAL },
    { "int8 per channel", OPTIONS(silent), .out = REAL,
      .in = { {TYPE_INT8, CASE_DIMS(3, 2), .constant = true, .scales = (const float[]){ .1f, .02f, .3f }, .channel_dim = 0},
              F32(3, 2) } },
    { "float16", OPTIONS(silent), .in = { CONST_F16(3, 7), F32(3, 7) }, .out = REAL },
    { "specials in the twin", OPTIONS(silent), .in = { QUANT(INT8, .02f, -5, 3, 7), F32_SPECIAL(3, 7) }, .out = REAL },
    { "within the tolerance", OPTIONS(strict), .out = REAL,
      .in = { {TYPE_INT8, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const int8_t[]){ 10, -20, 30, 0 }, .scale = .1f},
              {TYPE_FLOAT32, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const float[]){ 1.4f, -2.3f, 3, -.25f }} } },
    { "beyond the tolerance", OPTIONS(strict), .out = REAL, .fails = "more than the tolerance of 0.5",
      .in = { {TYPE_INT8, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const int8_t[]){ 10, -20, 30, 0 }, .scale = .1f},
              {TYPE_FLOAT32, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const float[]){ 1.4f, -2.3f, 3, -.75f }} } },
    { "a tolerance too small to be checked", OPTIONS(loose), .in = { QUANT(INT8, .02f, -5, 3, 7), F32_IN(-3, 3, 3, 7) },
      .out = REAL },
    { "sizes that differ", OPTIONS(silent), .in = { QUANT(INT8, .02f, -5, 3, 7), F32(3, 6) }, .out = REAL, .fails = "is larger than" },
    { "no quantization", OPTIONS(silent), .in = { TENSOR(INT8, 3, 7), F32(3, 7) }, .out = REAL, .fails = "no quantization" },
    { "int32", OPTIONS(silent), .in = { TENSOR(INT32, 3, 7), F32(3, 7) }, .out = REAL, .fails = "type INT32" },
    { "no options", .in = { QUANT(INT8, .02f, -5, 3, 7), F32(3, 7) }, .out = REAL, .fails = "no FlexBuffer" },
    { 0 }
};

const struct op_case hadamard_rotation_cases[] = {
    /* TFLite leaves the output the shape that the file gives it. */
    { "two pieces a row", OPTIONS(rotate_4), .in = { F32(3, 8) }, .out = { F32(3, 8) }, .apart = "empty" },
    { "one piece of 16", OPTIONS(rotate_16), .in = { F32(3, 16) }, .out = { F32(3, 16) } },
    { "rank 3, pieces of 64", OPTIONS(rotate_64), .in = { F32(2, 3, 128) }, .out = { F32(2, 3, 128) } },
    { "specials", OPTIONS(rotate_4), .in = { F32_SPECIAL(5, 8) }, .out = { F32(5, 8) } },
    { "rows that the size does not divide", OPTIONS(rotate_16), .in = { F32(3, 24) }, .fails = "size 16 for rows of 24" },
    { "size 6", OPTIONS(rotate_6), .in = { F32(3, 12) }, .fails = "power of two" },
    { "rank 4", OPTIONS(rotate_4), .in = { F32(1, 2, 3, 8) }, .fails = "rank 2 or 3" },
    { "integers", OPTIONS(rotate_4), .in = { TENSOR(INT32, 3, 8) }, .fails = "type INT32" },
    { 0 }
};

#define NOT_IN_PACKAGE .no_golden = true

const struct op_case irfft2d_cases[] = {
    { "8x8 (not in the package)", NOT_IN_PACKAGE, .in = { TENSOR(COMPLEX64, 8, 5), I32S(8, 8) }, .out = REAL },
    { "two planes, cropped and filled up (not in the package)", NOT_IN_PACKAGE,
      .in = { TENSOR(COMPLEX64, 2, 5, 3), I32S(4, 16) }, .out = REAL },
    { "one column (not in the package)", NOT_IN_PACKAGE,
      .in = { TENSOR(COMPLEX64, 8, 1), I32S(8, 1) }, .out = REAL },
    { "one row (not in the package)", NOT_IN_PACKAGE, .in = { TENSOR(COMPLEX64, 1, 9), I32S(1, 16) }, .out = REAL },
    { "two by two (not in the package)", NOT_IN_PACKAGE, .in = { TENSOR(COMPLEX64, 2, 2), I32S(2, 2) }, .out = REAL },
    { "six rows", .in = { TENSOR(COMPLEX64, 6, 5), I32S(6, 8) }, .out = REAL, .fails = "powers of two" },
    { "reals", .in = { F32(8, 5), I32S(8, 8) }, .out = REAL, .fails = "type FLOAT32" },
    { "rank 1", .in = { TENSOR(COMPLEX64, 5), I32S(1, 8) }, .out = REAL, .fails = "expected [...,rows,cols]" },
    { 0 }
};

const struct op_case roll_cases[] = {
    { "one axis (not in the package)", NOT_IN_PACKAGE, .in = { F32(3, 5), I32S(2), I32S(1) } },
    { "two axes, backwards, more than once round (not in the package)", NOT_IN_PACKAGE,
      .in = { TENSOR(INT16, 3, 5, 2), I32S(-1, 13), I32S(0, -2) } },
    { "an axis named twice, scalars at run time (not in the package)", NOT_IN_PACKAGE,
      .in = { TENSOR(INT8, 4, 5), {TYPE_INT32, CASE_DIMS(2), .fill = FILL_GIVEN, .data = (const int32_t[]){ 3, 2 }},
              {TYPE_INT32, CASE_DIMS(2), .fill = FILL_GIVEN, .data = (const int32_t[]){ 1, 1 }} } },
    { "scalars of 64 bits (not in the package)", NOT_IN_PACKAGE,
      .in = { TENSOR(BOOL, 7), {TYPE_INT64, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (const int64_t[]){ 3 }},
              {TYPE_INT64, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (const int64_t[]){ 0 }} } },
    { "strings (not in the package)", NOT_IN_PACKAGE,
      .in = { {TYPE_STRING, CASE_DIMS(4), .data = (const char *const[]){ "a", "bc", "", "d" }}, I32S(1), I32S(0) } },
    { "nothing to roll (not in the package)", NOT_IN_PACKAGE, .in = { F32(0, 5), I32S(2), I32S(0) } },
    { "an axis beyond the rank", .in = { F32(3, 5), I32S(2), I32S(2) }, .fails = "axis 2" },
    { "more shifts than axes", .in = { F32(3, 5), I32S(2, 1), I32S(1) }, .fails = "one length" },
    { 0 }
};

const struct op_case table_cases[] = {
    { "int8 (not in the package)", NOT_IN_PACKAGE, .in = { QUANT(INT8, .1f, 3, 3, 17), CONST(INT8, 256) },
      .out = { QUANT(INT8, .2f, 1) } },
    { "int16 (not in the package)", NOT_IN_PACKAGE, .in = { QUANT(INT16, .001f, 0, 3, 17), CONST(INT16, 513) },
      .out = { QUANT(INT16, .002f, 0) } },
    { "a short table", .in = { QUANT(INT16, .001f, 0, 3, 17), CONST(INT16, 512) }, .out = { QUANT(INT16, .002f, 0) },
      .fails = "expected INT16[513]" },
    { "a table of another type", .in = { QUANT(INT8, .1f, 3, 3, 17), CONST(UINT8, 256) }, .out = { QUANT(INT8, .2f, 1) },
      .fails = "expected INT8[256]" },
    { "floats", .in = { F32(3, 17), CONST_F32(256) }, .fails = "type FLOAT32" },
    { 0 }
};

const struct op_case average_pool_3d_cases[] = {
    { "same (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { F32(2, 3, 5, 4, 3) } },
    { "valid (not in the package)", OPTIONS(valid_3d), NOT_IN_PACKAGE, .in = { F32(1, 3, 5, 4, 2) } },
    { "a window far larger than the input (not in the package)", OPTIONS(wide_3d), NOT_IN_PACKAGE, .in = { F32(1, 3, 1, 2, 2) } },
    { "int8 (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { QUANT(INT8, .1f, 3, 1, 3, 5, 4, 3) } },
    { "int16 (not in the package)", OPTIONS(valid_3d), NOT_IN_PACKAGE, .in = { QUANT(INT16, .001f, 0, 1, 3, 5, 4, 3) } },
    { "specials (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { F32_SPECIAL(1, 3, 5, 4, 3) } },
    { "int8 to another scale", OPTIONS(same_3d), .in = { QUANT(INT8, .1f, 3, 1, 3, 5, 4, 3) }, .out = { QUANT(INT8, .2f, 3) },
      .fails = "quantized differently" },
    { "window does not fit", OPTIONS(valid_3d), .in = { F32(1, 1, 5, 4, 2) }, .fails = "a window of 2 does not fit 1" },
    { "channels first", OPTIONS(ncdhw), .in = { F32(1, 3, 5, 4, 2) }, .fails = "NDHWC" },
    { "another padding", OPTIONS(full_3d), .in = { F32(1, 3, 5, 4, 2) }, .fails = "neither SAME nor VALID" },
    { "a window over images", OPTIONS(batch_3d), .in = { F32(2, 3, 5, 4, 2) }, .fails = "ksize is not" },
    { "stride 0", OPTIONS(stride_0_3d), .in = { F32(2, 3, 5, 4, 2) }, .fails = "strides has 0" },
    { "rank 4", OPTIONS(same_3d), .in = { F32(3, 5, 4, 2) }, .fails = "rank 5" },
    { "no options", .in = { F32(1, 3, 5, 4, 2) }, .fails = "no FlexBuffer" },
    { 0 }
};

const struct op_case max_pool_3d_cases[] = {
    { "same (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { F32(2, 3, 5, 4, 3) } },
    { "int8, valid (not in the package)", OPTIONS(valid_3d), NOT_IN_PACKAGE, .in = { QUANT(INT8, .1f, 3, 1, 3, 5, 4, 3) } },
    { "int16 (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { QUANT(INT16, .001f, 0, 1, 3, 5, 4, 3) } },
    { "specials (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { F32_SPECIAL(1, 3, 5, 4, 3) } },
    { "uint8", OPTIONS(same_3d), .in = { QUANT(UINT8, .1f, 3, 1, 3, 5, 4, 3) }, .fails = "type UINT8" },
    { 0 }
};
