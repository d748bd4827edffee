/* SPDX-License-Identifier: Apache-2.0 */
/* requant_plain.c - from integer sums to quantized outputs, value by value. */
#include "kernels_cpu/quant/requant_plain.h"

#include <assert.h>

#include "kernels_cpu/common/clones.h"
#include "kernels_cpu/quant/packed_int.h"

enum { PIECE = 256 }; /* values that pass through a buffer on the stack */

/* Adds the zero point and clamps, in place. */
static void finish(const struct requant *r, size_t n, int32_t *v)
{
    for (size_t i = 0; i < n; i++)
        v[i] = fixed_clamp((int32_t)((uint32_t)v[i] + (uint32_t)r->zero), r->range.lo, r->range.hi);
}

/* Round halves away from zero; values beyond int32 saturate. */
static int32_t to_int(double v)
{
    v = round(v);
    return v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

/* Store v[i], the scaled sum of channel `first` + i. */
static CLONES void scale(const struct requant *r, const int32_t *restrict sum, size_t first, size_t n, int32_t *restrict v)
{
    if (r->kind == REQUANT_FIXED) {
        for (size_t i = 0; i < n; i++)
            v[i] = fixed_scale((int32_t)((uint32_t)sum[i] + (uint32_t)r->bias[first + i]),
                               (struct fixed_mul){r->mult[first + i], r->shift[first + i]});
        return;
    }
    assert(r->kind == REQUANT_REAL);
    for (size_t i = 0; i < n; i++) {
        /* 8-bit outputs: the sum wraps with the bias, as TFLite's 32-bit accumulator does. */
        int64_t narrow = (int32_t)((uint32_t)sum[i] + (uint32_t)r->bias[first + i]);

        v[i] = to_int((double)(r->type == TYPE_INT16 ? sum[i] + r->bias_wide[first + i] : narrow) * r->scale[first + i]);
    }
}

void requant_plain(const struct requant *r, const int32_t *sum, size_t n, void *y)
{
    int32_t v[PIECE];

    for (size_t first = 0; first < n; first += PIECE) {
        size_t count = n - first < PIECE ? n - first : PIECE;

        scale(r, sum + first, first, count, v);
        finish(r, count, v);
        packed_int_store(r->type, y, first, count, v);
    }
}

void requant_plain_wide(const struct requant *r, const int64_t *sum, size_t n, void *y)
{
    for (size_t i = 0; i < n; i++) {
        int64_t s = sum[i] + r->bias_wide[i];
        int32_t v = r->kind == REQUANT_FIXED_WIDE ? fixed_scale64(s, (struct fixed_mul){r->mult[i], r->shift[i]})
                                                  : to_int((double)s * r->scale[i]);

        finish(r, 1, &v);
        packed_int_store(r->type, y, i, 1, &v);
    }
}
