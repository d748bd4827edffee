/* SPDX-License-Identifier: Apache-2.0 */
/* block_rows.h - products of rows with 4-bit weights that have a scale per block of a row. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Return true if the filter [out][in] can be stored as 4 bits on the device: INT4, with blocks of a multiple of eight channels. */
bool block_rows_takes(const struct tensor *filter);

/* Append y = x times such a filter, plus bias [out] or NULL. The ir borrows filter and bias. NULL if memory runs out. */
struct ir_op *ir_block_rows(struct ir *ir, struct ir_value *x, const struct tensor *filter, const float *bias, struct ir_value *y);
