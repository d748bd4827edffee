/* SPDX-License-Identifier: Apache-2.0 */
/* products_plain.c - sums of products as the formula has them. */
#include "products_plain.h"
#include "../common/clones.h"

/* Vectors lie across channels: a sum keeps its order. */
CLONES void products_f32(const float *restrict x, size_t depth, const float *restrict w, size_t w_step, size_t channels,
                         float *restrict sum)
{
    for (size_t k = 0; k < depth; k++)
        for (size_t c = 0; c < channels; c++)
            sum[c] += x[k] * w[k * w_step + c];
}

/* Vectors lie along the sum, for which CPUs have instructions. */
CLONES void products_i32(const int16_t *restrict x, size_t depth, const int16_t *restrict w, size_t w_step, size_t channels,
                         int32_t *restrict sum)
{
    for (size_t c = 0; c < channels; c++) {
        uint32_t s = (uint32_t)sum[c];

        for (size_t k = 0; k < depth; k++)
            s += (uint32_t)(x[k] * w[c * w_step + k]);
        sum[c] = (int32_t)s;
    }
}

CLONES void products_i64(const int16_t *restrict x, size_t depth, const int16_t *restrict w, size_t w_step, size_t channels,
                         int64_t *restrict sum)
{
    for (size_t c = 0; c < channels; c++)
        for (size_t k = 0; k < depth; k++)
            sum[c] += x[k] * w[c * w_step + k];
}
