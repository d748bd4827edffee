/* SPDX-License-Identifier: Apache-2.0 */
/* pad.h - the matrix of paddings that PAD, PADV2, MIRROR_PAD and SPACE_TO_BATCH_ND share. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_PAD_H
#define DELEGAUGE_KERNELS_CPU_OPS_PAD_H

#include "kernels_cpu/common/move.h"

/* Elements added (or cut off) before and after each dimension. */
struct paddings {
    int32_t before[TENSOR_MAX_RANK], after[TENSOR_MAX_RANK];
};

/* Reads t, a [rows, 2] matrix (INT32 or INT64) of paddings or crops, all >= 0. ST_LATER if it is not known yet, ST_BAD_MODEL if
 * shape or numbers are others. */
enum status pad_read(const struct node *n, const struct tensor *t, int32_t rows, struct paddings *p, struct err *err);

/* dim + before + after as a dimension; ST_BAD_MODEL if that leaves int32. */
enum status pad_length(int32_t dim, int32_t before, int32_t after, int32_t *out, struct err *err);

/* The element that stands for 0 in a tensor of this type and quantization (its zero point), as the first of 16 bytes. */
void pad_zero(const struct tensor *t, uint8_t value[16]);

#endif
