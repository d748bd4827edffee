/* SPDX-License-Identifier: Apache-2.0 */
/* resize.c - cases of RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR. */
#include "bench/opcheck/opcheck.h"

/* Every pair of options, up and down; opt_ is a macro of align_corners and half_pixel_centers. */
/* TFLite ends in images without pixels. */
#define SIZE_CASES(opt_)                                                                                              \
    { "up", .skip_golden = ", 0.1 empty|, 0.2 empty", opt_(false, false), .in = { F32(1, 3, 4, 3), I32S(7, 9) } },    \
    { "up, corners", opt_(true, false), .in = { F32(1, 3, 4, 3), I32S(7, 9) } },                                      \
    { "up, half pixels", opt_(false, true), .in = { F32(1, 3, 4, 3), I32S(7, 9) } },                                  \
    { "down", opt_(false, false), .in = { F32(2, 9, 7, 2), I32S(4, 3) } },                                            \
    { "down, corners", opt_(true, false), .in = { F32(2, 9, 7, 2), I32S(4, 3) } },                                    \
    { "down, half pixels", opt_(false, true), .in = { F32(2, 9, 7, 2), I32S(4, 3) } },                                \
    { "doubled", opt_(false, true), .in = { F32(1, 5, 4, 1), I32S(10, 8) } },                                         \
    { "same size", opt_(false, false), .in = { F32(1, 3, 4, 3), I32S(3, 4) } },                                       \
    { "to one pixel", opt_(true, false), .in = { F32(1, 3, 4, 3), I32S(1, 1) } },                                     \
    { "from one pixel", opt_(true, false), .in = { F32(1, 1, 1, 3), I32S(3, 4) } },                                   \
    { "size known while running", opt_(false, false),                                                                 \
      .in = { F32(1, 3, 4, 3), {TYPE_INT32, CASE_DIMS(2), .fill = FILL_GIVEN, .data = (int32_t[]){5, 6}} } },         \
    { "size 0", opt_(false, false), .in = { F32(1, 3, 4, 3), I32S(7, 0) }, .fails = "above 0" },                      \
    { "rank 3", opt_(false, false), .in = { F32(3, 4, 3), I32S(7, 9) }, .fails = "rank 3" },                          \
    { "empty image", opt_(false, false), .in = { F32(1, 0, 4, 3), I32S(7, 9) }, .fails = "cannot be resized" }

#define TYPE_CASES(opt_)                                                                                              \
    { "int8, up", opt_(false, false), .in = { QUANT(INT8, 0.1f, 3, 1, 3, 4, 3), I32S(7, 9) } },                       \
    { "int8, up, corners", opt_(true, false), .in = { QUANT(INT8, 0.1f, 3, 1, 3, 4, 3), I32S(7, 9) } },               \
    { "int8, up, half pixels", opt_(false, true), .in = { QUANT(INT8, 0.1f, 3, 1, 3, 4, 3), I32S(7, 9) } },           \
    { "int8, down", opt_(false, false), .in = { QUANT(INT8, 0.1f, 3, 2, 9, 7, 2), I32S(4, 3) } },                     \
    { "int8, down, half pixels", opt_(false, true), .in = { QUANT(INT8, 0.1f, 3, 2, 9, 7, 2), I32S(4, 3) } },         \
    { "uint8, up", opt_(false, false), .in = { QUANT(UINT8, 0.1f, 3, 1, 3, 4, 3), I32S(7, 9) } },                     \
    { "uint8, up, corners", opt_(true, false), .in = { QUANT(UINT8, 0.1f, 3, 1, 3, 4, 3), I32S(7, 9) } },             \
    { "uint8, down, half pixels", opt_(false, true), .in = { QUANT(UINT8, 0.1f, 3, 2, 9, 7, 2), I32S(4, 3) } },       \
    { "int16, up, half pixels", opt_(false, true), .in = { QUANT(INT16, 0.1f, 0, 1, 3, 4, 3), I32S(7, 9) } },         \
    { "int8, many channels", opt_(false, true), .in = { QUANT(INT8, 0.1f, 3, 1, 2, 2, 37), I32S(3, 3) } },            \
    { "uint8, many channels", opt_(true, false), .in = { QUANT(UINT8, 0.1f, 3, 1, 2, 2, 37), I32S(3, 3) } },          \
    { "int16, down", opt_(false, false), .in = { QUANT(INT16, 0.1f, 0, 2, 9, 7, 2), I32S(4, 3) } }

#define BILINEAR(c, h) .opt = &(struct opt_resize_bilinear){ c, h }
#define NEAREST(c, h) .opt = &(struct opt_resize_nearest_neighbor){ c, h }

const struct op_case resize_bilinear_cases[] = {
    SIZE_CASES(BILINEAR),
    TYPE_CASES(BILINEAR),
    { "both options", BILINEAR(true, true), .in = { F32(1, 3, 4, 3), I32S(7, 9) }, .fails = "exclude each other" },
    { "specials", BILINEAR(false, true), .in = { F32_SPECIAL(1, 5, 5, 2), I32S(7, 7) } },
    { "int32", BILINEAR(false, false), .in = { TENSOR(INT32, 1, 3, 4, 3), I32S(7, 9) }, .fails = "INT32" },
    { 0 }
};

const struct op_case resize_nearest_neighbor_cases[] = {
    SIZE_CASES(NEAREST),
    TYPE_CASES(NEAREST),
    { "up, both options", NEAREST(true, true), .in = { F32(1, 3, 4, 3), I32S(7, 9) } },
    { "down, both options", NEAREST(true, true), .in = { F32(2, 9, 7, 2), I32S(4, 3) } },
    { 0 }
};
