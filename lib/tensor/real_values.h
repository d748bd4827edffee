/* SPDX-License-Identifier: Apache-2.0 */
/* real_values.h - the real numbers that a tensor stands for, and the same numbers in a tensor of another type.
 *
 * The common ground of a float model and its quantized twin: real = scale * (q - zero_point) for a tensor quantized as a whole, the
 * elements themselves for all others. */
#ifndef DELEGAUGE_REAL_VALUES_H
#define DELEGAUGE_REAL_VALUES_H

#include "lib/tensor/tensor.h"

/* True if the tensor's elements stand for real numbers by one scale and zero point: a scale that is finite and above 0. */
bool real_is_quantized(const struct tensor *t);

/* True for FLOAT32, FLOAT16, BFLOAT16 and FLOAT64. */
bool real_is_float(enum tensor_type type);

/* True if the same bits stand for the same number: equal types and, if quantized, equal scales and zero points. */
bool real_same_kind(const struct tensor *a, const struct tensor *b);

/* True if real_convert takes the one to the other, shapes aside: the same kind, or real numbers both. */
bool real_comparable(const struct tensor *a, const struct tensor *b);

/* Return element i as a real number. Integers and floating-point types, no complex ones. */
double real_value(const struct tensor *t, size_t i);

/* Give `to` the real numbers of `from`, which has as many elements: floats rounded to the type, quantized ones to the nearest
 * integer, halves away from zero, and cut to the type. *cut is the number of elements so cut; NaN becomes the zero point and counts
 * too. Equal types with equal quantization are copied bit for bit. ST_USAGE, with both tensors in the message, if the one holds
 * real numbers and the other cannot: INT32 that is not quantized takes nothing but integers of its own type. Both must have data.
 */
enum status real_convert(const struct tensor *from, const struct tensor *to, size_t *cut, struct err *err);

#endif
