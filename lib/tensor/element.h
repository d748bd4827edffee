/* SPDX-License-Identifier: Apache-2.0 */
/* element.h - access to single elements of tensors of any type, to compare two tensors.
 *
 * Index i counts elements in row-major order; in complex tensors the real and the imaginary part count as two elements. Tensors of
 * strings, and of types that are loaded and named only, have no elements here (element_count is 0). */
#pragma once

#include "lib/tensor/tensor.h"

/* Return true for FLOAT16, BFLOAT16, FLOAT32, FLOAT64 and complex types. */
bool element_is_float(enum tensor_type type);

/* Return the number of elements: for complex tensors twice that of the shape. */
size_t element_count(const struct tensor *t);

/* Return element i of a float type, exact in double. */
double element_float(const struct tensor *t, size_t i);

/* Return true for INT2 to INT64. */
bool element_is_signed(enum tensor_type type);

/* Return element i of any other type, as int64. UINT64 values of 2^63 and more wrap to negative numbers; differences of two
 * elements modulo 2^64 stay right. */
int64_t element_int(const struct tensor *t, size_t i);

/* Store v as element i of a float type, or of any other. Of elements shorter than a byte the neighbours stay. */
void element_set_float(const struct tensor *t, size_t i, double v);
void element_set_int(const struct tensor *t, size_t i, int64_t v);

/* Return the real value of a quantized element: scale * (q - zero point) of its channel. t->quant.n must be above 0. */
double element_real(const struct tensor *t, size_t i);

/* Return |a - b|, computed without overflow, then rounded to double. */
double element_int_distance(int64_t a, int64_t b);

/* Return the distance between element i of two tensors of one float type in units in the last place: steps from one representable
 * number to the next. 0 and -0 are one number; infinity is one step from the largest finite number. Neither may be NaN. */
double element_ulps(const struct tensor *a, const struct tensor *b, size_t i);
