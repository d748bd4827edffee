/* SPDX-License-Identifier: Apache-2.0 */
/* pool_3d.c - cases of AvgPool3D, MaxPool3D. */
#include "bench/opcheck/opcheck.h"

static const char same_3d[] = "data_format=NDHWC ksize=1,2,3,2,1 padding=SAME strides=1,2,1,2,1";
static const char valid_3d[] = "data_format=NDHWC ksize=1,2,2,3,1 padding=VALID strides=1,1,2,1,1";
static const char wide_3d[] = "data_format=NDHWC ksize=1,9,1,1,1 padding=SAME strides=1,1,1,1,1";
static const char ncdhw[] = "data_format=NCDHW ksize=1,2,2,2,1 padding=SAME strides=1,1,1,1,1";
static const char full_3d[] = "data_format=NDHWC ksize=1,2,2,2,1 padding=FULL strides=1,1,1,1,1";
static const char batch_3d[] = "data_format=NDHWC ksize=2,2,2,2,1 padding=SAME strides=1,1,1,1,1";
static const char stride_0_3d[] = "data_format=NDHWC ksize=1,2,2,2,1 padding=SAME strides=1,1,0,1,1";

#define OPTIONS(text) .flex = text
#define NOT_IN_PACKAGE .no_golden = true

const struct op_case average_pool_3d_cases[] = {
    { "same (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { F32(2, 3, 5, 4, 3) } },
    { "larger (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { F32(2, 17, 33, 21, 19) } },
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
    { "larger (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { F32(2, 17, 33, 21, 19) } },
    { "int8, valid (not in the package)", OPTIONS(valid_3d), NOT_IN_PACKAGE, .in = { QUANT(INT8, .1f, 3, 1, 3, 5, 4, 3) } },
    { "int16 (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { QUANT(INT16, .001f, 0, 1, 3, 5, 4, 3) } },
    { "specials (not in the package)", OPTIONS(same_3d), NOT_IN_PACKAGE, .in = { F32_SPECIAL(1, 3, 5, 4, 3) } },
    { "uint8", OPTIONS(same_3d), .in = { QUANT(UINT8, .1f, 3, 1, 3, 5, 4, 3) }, .fails = "type UINT8" },
    { 0 }
};
