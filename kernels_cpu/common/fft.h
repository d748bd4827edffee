/* SPDX-License-Identifier: Apache-2.0 */
/* fft.h - the discrete Fourier transform of a power-of-two length, in double precision, for RFFT2D and AudioSpectrogram.
 *
 * The operators' tensors are float: doubles keep the transform's own rounding below theirs, so that TFLite's results (by another
 * FFT) are met within tolerance at every length. Pure functions of their arguments; threads may share a table. Nothing fails. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_FFT_H
#define DELEGAUGE_KERNELS_CPU_COMMON_FFT_H

#include <stddef.h>

/* A complex number. */
struct fft_number {
    double re, im;
};

/* Elements of the table that transforms of up to `n` points, a power of two, need. */
static inline size_t fft_table_size(size_t n)
{
    return n / 2;
}

/* Writes exp(-2 pi i k / n) for all k < n / 2. Made in prepare, since each entry costs a sine and a cosine. */
void fft_table(struct fft_number *table, size_t n);

/* Transforms x[n] in place, unscaled: X[k] = sum over j of x[j] * exp(-2 pi i j k / n), by Cooley and Tukey's decimation in time.
 * n is a power of two, at least 1. The table was made for `table_n` points, a multiple of n. */
void fft(struct fft_number *x, size_t n, const struct fft_number *table, size_t table_n);

#endif
