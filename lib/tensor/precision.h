/* SPDX-License-Identifier: Apache-2.0 */
/* precision.h - precisions of computed and stored floats. */
#pragma once

enum precision {
    PRECISION_FP32,
    PRECISION_FP16_STORAGE, /* intermediate values stored as float16, computed in float32 */
    PRECISION_FP16_SUM32,   /* computed in float16 if the device supports it, sums of products in float32 */
    PRECISION_FP16,         /* computed in float16 if the device supports it */
    PRECISION_COUNT
};

/* Return the name, as in flags and reports: "fp32", "fp16_storage", "fp16_sum32", "fp16". */
const char *precision_name(enum precision p);
