/* SPDX-License-Identifier: Apache-2.0 */
/* fft_planes.h - 2-D transforms of real planes: the sizes, checks, table and scratch that RFFT2D and IRFFT2D share. */
#pragma once

#include "kernels_cpu/common/fft.h"
#include "lib/graph/kernel.h"

struct fft_planes {
    size_t rows, cols, kept; /* points of the transform; columns 0 to cols / 2 of the spectrum, which the others mirror */
    size_t in_rows, in_cols; /* of an input plane */
    size_t longest;          /* the larger of rows and cols: points that the table serves */
    const struct fft_number *table;
    struct fft_number *line, *half; /* scratch: one row or column [longest], the spectrum [rows][kept]; NULL before run */
};

/* Check input 0, planes [..., rows, cols], and read input 1, INT32[2], into length[2], two powers of two; `what` names the planes
 * in messages. Fails with ST_LATER if the lengths are not known yet. */
enum status fft_planes_lengths(const struct node *n, const char *what, int32_t length[2], struct err *err);

/* Set output 0 to the shape of input 0 with the last two dimensions replaced by [rows, cols]. */
enum status fft_planes_shape(struct node *n, int32_t rows, int32_t cols, struct err *err);

/* Return the sizes of a transform of `cols` columns and as many rows as output 0 has, with pointers into c->packed and c->scratch.
 */
struct fft_planes fft_planes(const struct cpu_call *c, size_t cols);

/* Transform each column of the spectrum. */
void fft_planes_columns(const struct fft_planes *f);

/* Pack the table and request scratch. Fails as cpu_pack. */
enum status fft_planes_prepare(struct cpu_call *c, size_t cols, struct err *err);
