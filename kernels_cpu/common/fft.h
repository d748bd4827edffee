/* SPDX-License-Identifier: Apache-2.0 */
/* fft.h - the discrete Fourier transform of a power-of-two length, in double precision, for RFFT2D and AudioSpectrogram.
 *
 * The operators' tensors are float: in double the transform's own rounding errors stay below float's, so that results agree with
 * TFLite's (another FFT) within tolerance at every length. Pure functions; threads may share a table. Nothing fails. */
#pragma once

#include <stddef.h>

/* A complex number. */
struct fft_number {
    double re, im;
};

/* Return the number of table elements for transforms of up to `n` points, a power of two. */
static inline size_t fft_table_size(size_t n)
{
    return n / 2;
}

/* Write exp(-2 pi i k / n) for all k < n / 2. Call it in prepare: each entry costs a sine and a cosine. */
void fft_table(struct fft_number *table, size_t n);

/* Transform x[n] in place, unscaled: X[k] = sum over j of x[j] * exp(-2 pi i j k / n), by Cooley and Tukey's decimation in time. n
 * is a power of two, at least 1. fft_table made the table for `table_n` points, a multiple of n. */
void fft(struct fft_number *x, size_t n, const struct fft_number *table, size_t table_n);
