/* SPDX-License-Identifier: Apache-2.0 */
/* fourier.h - the transforms of RFFT2D and IRFFT2D as products with constant matrices.
 *
 * Planes are values [1, planes, rows, columns]. Functions return NULL if memory runs out or an argument is NULL. */
#ifndef DELEGAUGE_KERNELS_GL_FOURIER_H
#define DELEGAUGE_KERNELS_GL_FOURIER_H

#include "kernels_gl/common/kinds.h"

/* The longest transform, and the largest Hadamard matrix: it has the square of that in elements, or twice as many. */
#define FOURIER_LONGEST 2048

/* Returns the weight of input k in output i of a product. */
typedef double (*fourier_weight)(const void *arg, int32_t i, int32_t k);

/* Compute y: of each row of x, along C, as many weighted sums of its elements as y has channels. Returns y. */
struct ir_value *fourier_product(struct ir *ir, struct ir_value *x, fourier_weight weight, const void *arg, struct ir_value *y);

/* Return cos and sin of j / n of a full turn, exact if they are 0 or 1. n is a power of two. */
double fourier_cos(int64_t j, int64_t n);
double fourier_sin(int64_t j, int64_t n);

/* Return the first `rows` rows and `cols` columns of planes. */
struct ir_value *fourier_crop(struct ir *ir, struct ir_value *x, int32_t rows, int32_t cols);

/* x, seen as [planes, a, b, c], as [planes, c, b, a], which is stored as [1, planes, c, b * a]. */
struct ir_value *fourier_turn(struct ir *ir, struct ir_value *x, int32_t a, int32_t b, int32_t c);

/* Make the checks that both share: a run-time input 0 and constant lengths up to FOURIER_LONGEST. */
bool fourier_accept(const struct node *n, enum tensor_type in, enum tensor_type out, struct reason *why);

/* Return the shape [1, planes, rows, columns] for a tensor [..., rows, columns]. */
struct ir_shape fourier_planes(const struct tensor *t);

#endif
