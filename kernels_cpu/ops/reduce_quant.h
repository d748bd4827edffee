/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_quant.h - MEAN, SUM and REDUCE_PROD if the scales of input and output matter: TFLite's fixed-point arithmetic. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_REDUCE_QUANT_H
#define DELEGAUGE_KERNELS_CPU_OPS_REDUCE_QUANT_H

#include "kernels_cpu/quant/fixed_point.h"
#include "lib/graph/kernel.h"

/* MEAN (sum divided by the elements per output) or SUM of quantized INT8, UINT8, INT16, input and output of one type: sums of x
 * less its zero point in 32 bits, which wrap, rescaled by x scale / y scale. prepare checks types and scales and asks for scratch,
 * which holds the sums. */
enum status reduce_quant_prepare(struct cpu_call *c, struct err *err);
enum status reduce_quant_run(struct cpu_call *c, bool mean, struct err *err);

/* Compute the factor of such sums, less their zero points; `count` > 0 of them make a mean, or 1 a sum. Fails with ST_BAD_MODEL. */
enum status reduce_quant_scale(const struct node *n, size_t count, struct fixed_mul *out, struct err *err);

/* REDUCE_PROD of quantized INT8 and INT16: rescaled after every factor, so that no product leaves 32 bits. Scratch holds the
 * products. */
enum status reduce_prod_quant_prepare(struct cpu_call *c, struct err *err);
enum status reduce_prod_quant_run(struct cpu_call *c, struct err *err);

/* Compute the scale of a product after every factor but the first, and once more at the end (fixed_scale64). ST_BAD_MODEL. */
enum status reduce_prod_quant_scale(const struct node *n, struct fixed_mul *out, struct err *err);

#endif
