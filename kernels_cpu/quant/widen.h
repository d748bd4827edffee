/* SPDX-License-Identifier: Apache-2.0 */
/* widen.h - quantized tensors as int16 with their zero point subtracted: the one form that the integer loops compute on. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_WIDEN_H
#define DELEGAUGE_KERNELS_CPU_QUANT_WIDEN_H

#include "kernels_cpu/quant/quant_check.h"
#include "lib/graph/kernel.h"

/* out[i] = element (first + i) of UINT8, INT8, INT16, INT4 or INT2 data minus zero, which must keep within int16. */
void widen(enum tensor_type type, const void *data, int32_t zero, size_t first, size_t n, int16_t *out);

/* The same for elements [0, n) over threads. */
void widen_all(struct threads *threads, enum tensor_type type, const void *data, int32_t zero, size_t n, int16_t *out);

/* Checks that the tensor is quantized as a whole or has one finite positive scale for each of the `channels` entries of
 * dimension `dim`. */
enum status quant_check_channels(const struct tensor *t, int32_t dim, size_t channels, const char *what, struct err *err);

/* quant_check_channels of a filter whose channels are dimension `dim`; besides, the zero point must be 0, or, of UINT8, one. */
enum status quant_check_filter(const struct tensor *filter, int32_t dim, struct err *err);

/* Return true if a zero point is not 0. */
bool quant_has_zero(const struct tensor *t);

#endif
