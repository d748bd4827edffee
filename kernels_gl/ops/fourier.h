/* SPDX-License-Identifier: Apache-2.0 */
/* fourier.h - what RFFT2D and IRFFT2D share: transforms as products with constant matrices.
 *
 * Planes are values [1, planes, rows, columns]. Functions return NULL where memory runs out or an argument is NULL. */
#ifndef DELEGAUGE_KERNELS_GL_FOURIER_H
#define DELEGAUGE_KERNELS_GL_FOURIER_H

#include "kernels_gl/common/kinds.h"

/* The longest transform, and the largest Hadamard matrix: it has the square of that in elements, or twice as many. */
#define FOURIER_LONGEST 2048

/* How much input k weighs in output i of a product. */
typedef double (*fourier_weight)(const void *arg, int32_t i, int32_t k);

/* y: of each row of x, along C, as many sums of what it has as y has channels, by these weights. Returns y. */
struct ir_value *fourier_product(struct ir *ir, struct ir_value *x, fourier_weight weight, const void *arg, struct ir_value *y);

/* cos and sin of j / n of a full turn, 0 and 1 exactly where they are that. n is a power of two. */
double fourier_cos(int64_t j, int64_t n);
double fourier_sin(int64_t j, int64_t n);

/* The first `rows` rows and `cols` columns of planes. */
struct ir_value *fourier_crop(struct ir *ir, struct ir_value *x, int32_t rows, int32_t cols);

/* x, seen as [planes, a, b, c], as [planes, c, b, a], which is stored as [1, planes, c, b * a]. */
struct ir_value *fourier_turn(struct ir *ir, struct ir_value *x, int32_t a, int32_t b, int32_t c);

/* The checks that both share: a run-time input 0 and constant lengths up to FOURIER_LONGEST. */
bool fourier_accept(const struct node *n, enum tensor_type in, enum tensor_type out, struct reason *why);

/* Of a tensor [..., rows, columns] the shape [1, planes, rows, columns]. */
struct ir_shape fourier_planes(const struct tensor *t);

#endif
