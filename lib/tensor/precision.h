/* SPDX-License-Identifier: Apache-2.0 */
/* precision.h - the ways to compute and store reals. */
#ifndef DELEGAUGE_PRECISION_H
#define DELEGAUGE_PRECISION_H

enum precision {
    PRECISION_FP32,
    PRECISION_FP16_STORAGE, /* intermediate values rounded to half precision, sums in single */
    PRECISION_FP16_SUM32,   /* computed in half precision if the device does so, sums of products in single */
    PRECISION_FP16,         /* computed in half precision if the device does so */
    PRECISION_COUNT
};

/* "fp32", "fp16_storage", "fp16_sum32", "fp16": as typed and printed. */
const char *precision_name(enum precision p);

#endif
