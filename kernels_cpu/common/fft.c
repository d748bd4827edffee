/* SPDX-License-Identifier: Apache-2.0 */
/* fft.c - radix 2, decimation in time. */
#include "kernels_cpu/common/fft.h"

#include <math.h>

void fft_table(struct fft_number *table, size_t n)
{
    const double step = -2 * M_PI / (double)n;

    for (size_t k = 0; k < n / 2; k++)
        table[k] = (struct fft_number){cos(step * (double)k), sin(step * (double)k)};
}

/* Permute to bit-reversed order, in which neighbours are the shortest transforms. */
static void reverse_bits(struct fft_number *x, size_t n)
{
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n >> 1;

        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            struct fft_number t = x[i];

            x[i] = x[j];
            x[j] = t;
        }
    }
}

static void butterfly(struct fft_number *a, struct fft_number *b, struct fft_number w)
{
    struct fft_number t = {b->re * w.re - b->im * w.im, b->re * w.im + b->im * w.re};

    *b = (struct fft_number){a->re - t.re, a->im - t.im};
    *a = (struct fft_number){a->re + t.re, a->im + t.im};
}

void fft(struct fft_number *x, size_t n, const struct fft_number *table, size_t table_n)
{
    reverse_bits(x, n);
    for (size_t half = 1; half < n; half *= 2)
        for (size_t at = 0; at < n; at += 2 * half)
            for (size_t k = 0; k < half; k++)
                butterfly(&x[at + k], &x[at + k + half], table[k * (table_n / 2 / half)]);
}
