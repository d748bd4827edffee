/* SPDX-License-Identifier: Apache-2.0 */
/* widen.h - quantized tensors as int16 minus their zero point, the one form on which the integer loops compute. */
#pragma once

#include "kernels_cpu/quant/quant_check.h"
#include "lib/graph/kernel.h"

/* Store out[i] = element (first + i) of UINT8, INT8, INT16, INT4 or INT2 data minus zero. The differences must fit int16. */
void widen(enum tensor_type type, const void *data, int32_t zero, size_t first, size_t n, int16_t *out);

/* Widen elements [0, n) on all threads. */
void widen_all(struct threads *threads, enum tensor_type type, const void *data, int32_t zero, size_t n, int16_t *out);

/* Check that the tensor has one finite positive scale, or one for each of the `channels` indices of dimension `dim`. `what` names
 * it in messages. Fails with ST_BAD_MODEL. */
enum status quant_check_channels(const struct tensor *t, int32_t dim, size_t channels, const char *what, struct err *err);

/* Check a filter whose channels are dimension `dim` as quant_check_channels does, and that its zero points are 0; a UINT8 filter
 * must have a single scale and may have any zero point. Else fails with ST_UNSUPPORTED. */
enum status quant_check_filter(const struct tensor *filter, int32_t dim, struct err *err);

/* Return true if t has a zero point other than 0. */
bool quant_has_zero(const struct tensor *t);
