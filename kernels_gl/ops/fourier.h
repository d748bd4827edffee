/* SPDX-License-Identifier: Apache-2.0 */
/* fourier.h - the transforms of RFFT2D and IRFFT2D as products with constant matrices.
 *
 * Planes are values [1, planes, rows, columns]. Functions return NULL if memory runs out or an argument is NULL. */
#pragma once

#include "kernels_gl/common/kinds.h"

/* The most points of a transform, and rows of a Hadamard matrix: its matrix has the square of that in elements, or twice as many.
 */
#define FOURIER_LONGEST 2048

/* Return the weight of input k in output i of a product. */
typedef double (*fourier_weight)(const void *arg, int32_t i, int32_t k);

/* Append y: for each row of x, along C, as many weighted sums of its elements as y has channels. Returns y. */
struct ir_value *fourier_product(struct ir *ir, struct ir_value *x, fourier_weight weight, const void *arg, struct ir_value *y);

/* Return the cosine or sine of j / n of a full turn, exact if it is 0, 1 or -1. n is a power of two. */
double fourier_cos(int64_t j, int64_t n);
double fourier_sin(int64_t j, int64_t n);

/* Return the first `rows` rows and `cols` columns of planes. */
struct ir_value *fourier_crop(struct ir *ir, struct ir_value *x, int32_t rows, int32_t cols);

/* Return x, seen as [planes, a, b, c], transposed to [planes, c, b, a] and stored as [1, planes, c, b * a]. */
struct ir_value *fourier_turn(struct ir *ir, struct ir_value *x, int32_t a, int32_t b, int32_t c);

/* Check both operators' inputs: input 0 made at run time, constant lengths up to FOURIER_LONGEST; and the types `in` and `out`.
 * False: *why. */
bool fourier_accept(const struct node *n, enum tensor_type in, enum tensor_type out, struct reason *why);

/* Return the shape [1, planes, rows, columns] for a tensor [..., rows, columns]. */
struct ir_shape fourier_planes(const struct tensor *t);
