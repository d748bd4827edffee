/* SPDX-License-Identifier: Apache-2.0 */
/* requant_plain.c - from integer sums to quantized outputs, value by value. */
#include <assert.h>

#include "requant_plain.h"
#include "../common/clones.h"

enum { PIECE = 256 }; /* values that pass through a buffer on the stack */

static void put(const struct requant *r, const int32_t *v, size_t first, size_t n, void *y)
{
    for (size_t i = 0; i < n; i++) {
        int32_t q = fixed_clamp((int32_t)((uint32_t)v[i] + (uint32_t)r->zero), r->range.lo, r->range.hi);

        switch (r->type) {
        case TYPE_INT8: ((int8_t *)y)[first + i] = (int8_t)q; break;
        case TYPE_UINT8: ((uint8_t *)y)[first + i] = (uint8_t)q; break;
        default: ((int16_t *)y)[first + i] = (int16_t)q;
        }
    }
}

/* Halves away from zero; what lies beyond int32 saturates. */
static int32_t to_int(double v)
{
    v = round(v);
    return v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

/* v[i] from channel `first` + i. */
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
        put(r, v, first, count, y);
    }
}

void requant_plain_wide(const struct requant *r, const int64_t *sum, size_t n, void *y)
{
    for (size_t i = 0; i < n; i++) {
        int64_t s = sum[i] + r->bias_wide[i];
        int32_t v = r->kind == REQUANT_FIXED_WIDE ? fixed_scale64(s, (struct fixed_mul){r->mult[i], r->shift[i]})
                                                  : to_int((double)s * r->scale[i]);

        put(r, &v, i, 1, y);
    }
}
