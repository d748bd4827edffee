/* SPDX-License-Identifier: Apache-2.0 */
/* pad.h - reads the matrix of paddings that PAD, PADV2, MIRROR_PAD and SPACE_TO_BATCH_ND share. */
#pragma once

#include "kernels_cpu/common/move.h"

/* Elements added (or cut off) before and after each dimension. */
struct paddings {
    int32_t before[TENSOR_MAX_RANK], after[TENSOR_MAX_RANK];
};

/* Read t, a [rows, 2] matrix of paddings or crops, all >= 0, of type INT64, INT32, INT16, INT8 or BOOL. Fails with ST_LATER if it
 * is not known yet, with ST_BAD_MODEL for another shape or out of range values, as cpu_bad_type for another type. */
enum status pad_read(const struct node *n, const struct tensor *t, int32_t rows, struct paddings *p, struct err *err);

/* Store dim + before + after in *out. Fails with ST_BAD_MODEL if the sum exceeds int32. */
enum status pad_length(int32_t dim, int32_t before, int32_t after, int32_t *out, struct err *err);

/* Store the element that represents 0 in a tensor of t's type and quantization, the zero point of 8- and 16-bit integers, in the
 * first bytes of value[16]; the others are 0. */
void pad_zero(const struct tensor *t, uint8_t value[16]);
