/* SPDX-License-Identifier: Apache-2.0 */
/* fft_planes.h - the planes of powers of two, and the half of their transform that is kept, which RFFT2D and IRFFT2D share. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_FFT_PLANES_H
#define DELEGAUGE_KERNELS_CPU_COMMON_FFT_PLANES_H

#include "kernels_cpu/common/fft.h"
#include "lib/graph/kernel.h"

struct fft_planes {
    size_t rows, cols, kept; /* of the transform; columns that are kept of it */
    size_t in_rows, in_cols; /* of an input plane */
    size_t longest;          /* length that the table is made for */
    const struct fft_number *table;
    struct fft_number *line, *half; /* [longest], [rows][kept] */
};

/* Checks inputs 0, planes [...,rows,cols], and 1, the transform's lengths INT32[2], which it reads; `what` names the planes in
 * messages. ST_LATER if the lengths are not known yet. */
enum status fft_planes_lengths(const struct node *n, const char *what, int32_t length[2], struct err *err);

/* Sets output 0 to [..., rows, cols] in place of the last two dimensions of input 0. */
enum status fft_planes_shape(struct node *n, int32_t rows, int32_t cols, struct err *err);

/* Return the planes of a transform of `cols` columns and as many rows as output 0 has. */
struct fft_planes fft_planes(const struct cpu_call *c, size_t cols);

/* Packs the table and asks for scratch. */
enum status fft_planes_prepare(struct cpu_call *c, size_t cols, struct err *err);

#endif
