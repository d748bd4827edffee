/* SPDX-License-Identifier: Apache-2.0 */
/* real_values.h - real values of tensors, and their conversion to tensors of other types.
 *
 * For comparing a float model with its quantized version: real = scale * (q - zero_point) for a tensor with one scale, the elements
 * themselves for all others. */
#pragma once

#include "lib/tensor/tensor.h"

/* Return true if the tensor is quantized with one scale, finite and above 0, and one zero point. */
bool real_is_quantized(const struct tensor *t);

/* Return the real value of element i. Not for complex types and strings. */
double real_value(const struct tensor *t, size_t i);

/* Return true if equal bits mean equal values: the types and, if quantized, the scales and zero points are equal. */
bool real_same_kind(const struct tensor *a, const struct tensor *b);

/* Return true if real_convert can convert one to the other, shapes aside: real_same_kind, or both hold real numbers. */
bool real_comparable(const struct tensor *a, const struct tensor *b);

/* Convert the values of `from` to `to`, which has as many elements; both have data. Floats are rounded to the type; quantized
 * values are rounded to the nearest integer, ties away from zero, and clamped to the type. Stores in *cut the number of clamped
 * elements; a NaN becomes the zero point and counts too. Tensors of the same kind (real_same_kind) are copied bit for bit. Fails
 * with ST_USAGE, naming both tensors, unless real_comparable: an INT32 that is not quantized takes only INT32. */
enum status real_convert(const struct tensor *from, const struct tensor *to, size_t *cut, struct err *err);
