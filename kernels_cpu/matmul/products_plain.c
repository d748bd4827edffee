/* SPDX-License-Identifier: Apache-2.0 */
/* products_plain.c - sums of products as the formula has them. */
#include "kernels_cpu/matmul/products_plain.h"
#include "kernels_cpu/common/clones.h"

/* Vectors lie across channels: a sum keeps its order. Four terms at a time spare loads and stores of the sums; + goes from left to
 * right. */
static CLONES void products_f32_loops(const float *restrict x, size_t depth, const float *restrict w, size_t w_step,
                                      size_t channels, float *restrict sum)
{
    size_t k = 0;

    for (; k + 4 <= depth; k += 4, w += 4 * w_step)
        for (size_t c = 0; c < channels; c++)
            sum[c] = sum[c] + x[k] * w[c] + x[k + 1] * w[w_step + c] + x[k + 2] * w[2 * w_step + c] + x[k + 3] * w[3 * w_step + c];
    for (; k < depth; k++, w += w_step)
        for (size_t c = 0; c < channels; c++)
            sum[c] += x[k] * w[c];
}

void products_f32(const float *x, size_t depth, const float *w, size_t w_step, size_t channels, float *sum)
{
    products_f32_loops(x, depth, w, w_step, channels, sum);
}

static CLONES void products_f64_loops(const float *restrict x, size_t depth, const float *restrict w, size_t w_step,
                                      size_t channels, double *restrict sum)
{
    for (size_t k = 0; k < depth; k++, w += w_step)
        for (size_t c = 0; c < channels; c++)
            sum[c] += (double)x[k] * (double)w[c];
}

void products_f64(const float *x, size_t depth, const float *w, size_t w_step, size_t channels, double *sum)
{
    products_f64_loops(x, depth, w, w_step, channels, sum);
}

/* Vectors lie along the sum, for which CPUs have instructions. */
static CLONES void products_i32_loops(const int16_t *restrict x, size_t depth, const int16_t *restrict w, size_t w_step,
                                      size_t channels, int32_t *restrict sum)
{
    for (size_t c = 0; c < channels; c++) {
        uint32_t s = (uint32_t)sum[c];

        for (size_t k = 0; k < depth; k++)
            s += (uint32_t)(x[k] * w[c * w_step + k]);
        sum[c] = (int32_t)s;
    }
}

void products_i32(const int16_t *x, size_t depth, const int16_t *w, size_t w_step, size_t channels, int32_t *sum)
{
    products_i32_loops(x, depth, w, w_step, channels, sum);
}

static CLONES void products_i64_loops(const int16_t *restrict x, size_t depth, const int16_t *restrict w, size_t w_step,
                                      size_t channels, int64_t *restrict sum)
{
    for (size_t c = 0; c < channels; c++)
        for (size_t k = 0; k < depth; k++)
            sum[c] += x[k] * w[c * w_step + k];
}

void products_i64(const int16_t *x, size_t depth, const int16_t *w, size_t w_step, size_t channels, int64_t *sum)
{
    products_i64_loops(x, depth, w, w_step, channels, sum);
}

#define BY_CHANNEL(type, elem, acc)                                                                                                \
    static CLONES void products_by_channel_##type##_loops(const elem *restrict x, const elem *restrict w, size_t count, size_t ic, \
                                                          size_t multiplier, acc *restrict sum)                                    \
    {                                                                                                                              \
        for (size_t t = 0; multiplier == 1 && t < count; t++)                                                                      \
            for (size_t i = 0; i < ic; i++)                                                                                        \
                sum[i] += (acc)x[t * ic + i] * (acc)w[t * ic + i];                                                                 \
        for (size_t i = 0; multiplier != 1 && i < count * ic; i++)                                                                 \
            for (size_t m = 0; m < multiplier; m++)                                                                                \
                sum[i % ic * multiplier + m] += (acc)x[i] * (acc)w[i * multiplier + m];                                            \
    }                                                                                                                              \
                                                                                                                                   \
    void products_by_channel_##type(const elem *x, const elem *w, size_t count, size_t ic, size_t multiplier, acc *sum)            \
    {                                                                                                                              \
        products_by_channel_##type##_loops(x, w, count, ic, multiplier, sum);                                                      \
    }

BY_CHANNEL(f32, float, float)
BY_CHANNEL(f64, float, double)
BY_CHANNEL(i32, int16_t, uint32_t) /* sums wrap */
BY_CHANNEL(i64, int16_t, int64_t)
