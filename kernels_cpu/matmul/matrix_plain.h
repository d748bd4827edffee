/* SPDX-License-Identifier: Apache-2.0 */
/* matrix_plain.h - matrix products by definition: CPU_REFERENCE's FULLY_CONNECTED and BATCH_MATMUL.
 *
 *   y[row][c] = finish( sum over k < depth of x[xr][k] * w[wm][k][c] ),   k ascending
 *
 * `operands` maps the row of y to row xr of x and matrix wm of w. */
#pragma once

#include "kernels_cpu/matmul/reference_product.h"

struct matrix_plain {
    struct reference_product p; /* piece = row of x, position = line = row of y */
    size_t depth;

    /* Store the row of x and the matrix of w whose product is row `row` of y. NULL: the same row, and matrix 0. */
    void (*operands)(const void *arg, size_t row, size_t *x, size_t *w);
    const void *arg;
};

/* Compute all rows of y; threads share the rows. c->packed begins with the struct, as reference_product_prepare left it. */
void matrix_plain_compute(struct cpu_call *c);
