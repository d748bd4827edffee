/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_quant.h - MEAN, SUM and REDUCE_PROD of quantized tensors in TFLite's fixed-point arithmetic. */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"
#include "lib/graph/kernel.h"

/* MEAN (sum divided by the number of elements per output) or SUM of quantized INT8, UINT8 or INT16, input and output of one type:
 * the 32-bit sum, which wraps, of x minus its zero point, rescaled by x scale / y scale. prepare checks types and scales and
 * requests scratch for the sums. */
enum status reduce_quant_prepare(struct cpu_call *c, struct err *err);
enum status reduce_quant_run(struct cpu_call *c, bool mean, struct err *err);

/* Compute the factor of MEAN over `count` > 0 elements, or of SUM with count 1. Fails with ST_BAD_MODEL if scales do not allow it.
 */
enum status reduce_quant_scale(const struct node *n, size_t count, struct fixed_mul *out, struct err *err);

/* REDUCE_PROD of quantized INT8 or INT16: rescaled after every factor, so that no product exceeds 32 bits. prepare requests scratch
 * for the products. */
enum status reduce_prod_quant_prepare(struct cpu_call *c, struct err *err);
enum status reduce_prod_quant_run(struct cpu_call *c, struct err *err);

/* Compute the scale that is applied after every factor but the first, and once more at the end (fixed_scale64). Fails with
 * ST_BAD_MODEL if scales do not allow it. */
enum status reduce_prod_quant_scale(const struct node *n, struct fixed_mul *out, struct err *err);
