/* SPDX-License-Identifier: Apache-2.0 */
/* arith_sum.c - 8-bit sums in float, and the bound of their error. */
#include "kernels_cpu/ops/arith_sum.h"

#include <math.h>
#include <string.h>

/* Elements that the exact row function recomputes together. */
enum { CHUNK = 64 };

/* Define row function `name` for elements of type T. name_chunk returns other than 0 if y[0..n) may be wrong. */
#define SUM_ROW(name, T)                                                                                                           \
    static inline __attribute__((always_inline))                                                                                   \
    int32_t name##_chunk(const struct sum_plan *p, T *restrict y, const T *a, const T *b, size_t n)                                \
    {                                                                                                                              \
        const int32_t zero = p->zero, lo = p->lo - zero, hi = p->hi - zero;                                                        \
        const float least = (float)lo - 1, most = (float)hi + 1, scale_a = p->a, scale_b = p->b, c = p->c, margin = p->margin;     \
        int32_t doubtful = 0;                                                                                                      \
                                                                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                                                           \
            const float sum = ((float)a[i] * scale_a + c) + (float)b[i] * scale_b, up = sum < least ? least : sum;                 \
            const float v = up > most ? most : up, whole = (v + 0x1.8p23f) - 0x1.8p23f;                                            \
                                                                                                                                   \
            doubtful |= fabsf(v - whole) > margin;                                                                                 \
            y[i] = (T)(fixed_clamp((int32_t)whole, lo, hi) + zero);                                                                \
        }                                                                                                                          \
        return doubtful;                                                                                                           \
    }                                                                                                                              \
    CLONES static void name(const void *arg, void *out, const void *const *x, const size_t *step, size_t n)                        \
    {                                                                                                                              \
        const struct sum_plan p = *(const struct sum_plan *)arg;                                                                   \
        T repeated[2][CHUNK];                                                                                                      \
                                                                                                                                   \
        for (int i = 0; i < 2; i++)                                                                                                \
            memset(repeated[i], *(const T *)x[i], CHUNK);                                                                          \
        for (size_t at = 0; at < n; at += CHUNK) {                                                                                 \
            const T *a = step[0] ? (const T *)x[0] + at : repeated[0], *b = step[1] ? (const T *)x[1] + at : repeated[1];          \
            const size_t count = n - at < CHUNK ? n - at : CHUNK;                                                                  \
            T *y = (T *)out + at;                                                                                                  \
                                                                                                                                   \
            /* A count that the compiler knows saves the loop's ends. */                                                           \
            if (count == CHUNK ? name##_chunk(&p, y, a, b, CHUNK) : name##_chunk(&p, y, a, b, count))                              \
                p.exact(arg, y, (const void *const[]){a, b}, (const size_t[]){1, 1}, count);                                       \
        }                                                                                                                          \
    }

SUM_ROW(sum_fast_i8, int8_t)
SUM_ROW(sum_fast_u8, uint8_t)

static double real(struct fixed_mul m)
{
    return ldexp(m.mult, m.shift - 31);
}

void sum_plan_fast(struct sum_plan *p, enum tensor_type type, const struct sum_fixed *f)
{
    const double step = real(f->y), a = 0x1p20 * real(f->a) * step, b = (f->subtract ? -0x1p20 : 0x1p20) * real(f->b) * step;
    const double c = -(a * f->a_zero + b * f->b_zero);
    /* Five roundings to float. The fixed-point side is off by 1 in each scaled input, and by half a bit of what the last shift
     * drops. */
    const double error = 0x1p-21 * (256 * (fabs(a) + fabs(b)) + fabs(c)) + 2 * step + ldexp(0.5, f->y.shift);

    if ((type != TYPE_INT8 && type != TYPE_UINT8) || f->y.shift > 0 || error > 0x1p-10)
        return;
    p->exact = p->plan.row;
    p->plan.row = type == TYPE_INT8 ? sum_fast_i8 : sum_fast_u8;
    p->a = (float)a;
    p->b = (float)b;
    p->c = (float)c;
    p->margin = (float)(0.5 - error);
    p->zero = f->y_zero;
    p->lo = f->range.lo;
    p->hi = f->range.hi;
}
