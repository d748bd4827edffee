/* SPDX-License-Identifier: Apache-2.0 */
/* lut.c - functions of quantized tensors as tables: filled in prepare, looked up a vector at a time where the CPU can. */
#include "kernels_cpu/quant/lut.h"

#include "kernels_cpu/quant/quant_check.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

struct lut8 {
    struct map_plan plan;
    uint8_t at[256]; /* by the bits of the input; the bits of the output */
};

struct lut16 {
    struct map_plan plan;
    int16_t at[LUT16_POINTS];
};

MAP_ROW(bytes_plain, uint8_t, uint8_t, const uint8_t *at = arg, at[v])
CLONES MAP_ROW(lut16_row, int16_t, int16_t, const int16_t *at = ((const struct lut16 *)arg)->at, lut16_at(at, v))

#if defined(__x86_64__)

    /* The whole table lies in four registers. */
    static __attribute__((target("avx512bw,avx512vbmi"))) void bytes_vbmi(const void *table, void *out, const void *in, size_t n)
{
    const __m512i *at = table;
    const __m512i t0 = _mm512_loadu_si512(at), t1 = _mm512_loadu_si512(at + 1), t2 = _mm512_loadu_si512(at + 2),
                  t3 = _mm512_loadu_si512(at + 3);

    for (size_t i = 0; i < n; i += 64) {
        const __mmask64 used = n - i < 64 ? (UINT64_C(1) << (n - i)) - 1 : UINT64_MAX;
        const __m512i v = _mm512_maskz_loadu_epi8(used, (const uint8_t *)in + i);
        const __m512i low = _mm512_permutex2var_epi8(t0, v, t1), high = _mm512_permutex2var_epi8(t2, v, t3);

        _mm512_mask_storeu_epi8((uint8_t *)out + i, used, _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), low, high));
    }
}

void lut8_map(const void *arg, void *y, const void *x, size_t n)
{
    if (__builtin_cpu_supports("avx512vbmi"))
        bytes_vbmi(arg, y, x, n);
    else
        bytes_plain(arg, y, x, n);
}

#else

    void lut8_map(const void *arg, void *y, const void *x, size_t n)
{
    bytes_plain(arg, y, x, n);
}

#endif

static void lut8_row(const void *arg, void *y, const void *x, size_t n)
{
    lut8_map(((const struct lut8 *)arg)->at, y, x, n);
}

/* CPU_REFERENCE. */
static void lut8_row_plain(const void *arg, void *y, const void *x, size_t n)
{
    bytes_plain(((const struct lut8 *)arg)->at, y, x, n);
}

/* Return v clamped to [lo, hi]; NaN becomes lo. */
static float clamp(float v, float lo, float hi)
{
    return v > lo ? (v < hi ? v : hi) : lo;
}

/* Tabulate f for an INT16 input of x_scale, x_zero and an INT16 output of y_scale, y_zero. */
static void lut16_build(float x_scale, int32_t x_zero, float y_scale, int32_t y_zero, lut_real f, const void *arg,
                        int16_t lut[LUT16_POINTS])
{
    const int32_t steps = LUT16_POINTS - 1;
    const float x_min = x_scale * (float)(INT16_MIN - x_zero), x_max = x_scale * (float)(INT16_MAX - x_zero);
    const float y_min = y_scale * (float)(INT16_MIN - y_zero), y_max = y_scale * (float)(INT16_MAX - y_zero);
    const float step = (x_max - x_min) / (float)steps, half = step / 2;
    const float to_q = 65536.0f / (y_max - y_min);

    for (int32_t i = 0; i < steps; i++) {
        const float at = f(x_min + (float)i * step, arg), next = f(x_min + (float)(i + 1) * step, arg);
        const float middle = f(x_min + (float)i * step + half, arg);
        const float here = roundf(at * to_q);
        const float error = roundf((next * to_q + here) / 2) - roundf(middle * to_q);

        /* Between two infinities TFLite converts NaN to an integer, which C leaves undefined. */
        lut[i] = (int16_t)clamp(isnan(error) ? here : here - roundf(error / 2), INT16_MIN, INT16_MAX);
    }
    lut[steps] = (int16_t)clamp(roundf(f(x_max, arg) * to_q), INT16_MIN, INT16_MAX);
}

static enum status check(const struct node *n, struct err *err)
{
    const enum status st = map_types(n, err);

    return st ? st : quant_check_all((const struct tensor *[]){n->in[0], n->out[0]}, 2, err);
}

static enum status prepare16(struct cpu_call *c, lut_real f, const void *arg, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    enum status st;

    if ((st = map_plan(c, lut16_row, sizeof(struct lut16), err)))
        return st;
    lut16_build(quant_scale(x), quant_zero(x), quant_scale(y), quant_zero(y), f, arg, ((struct lut16 *)c->packed)->at);
    return ST_OK;
}

struct real_fn {
    lut_real f;
    const void *arg;
    const struct tensor *x, *y;
};

static int32_t real_at(int32_t q, const void *arg)
{
    const struct real_fn *r = arg;
    const float y = r->f(quant_scale(r->x) * (float)(q - quant_zero(r->x)), r->arg);

    return (int32_t)clamp(roundf(y * (1 / quant_scale(r->y))) + (float)quant_zero(r->y), -0x1p30f, 0x1p30f);
}

enum status lut_prepare_real(struct cpu_call *c, lut_real f, const void *arg, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    const enum status st = check(c->node, err);

    if (st)
        return st;
    return x->type == TYPE_INT16 ? prepare16(c, f, arg, err) : lut_prepare_int(c, real_at, &(struct real_fn){f, arg, x, y}, err);
}

enum status lut_prepare_int(struct cpu_call *c, lut_int f, const void *arg, struct err *err)
{
    const struct range_i32 l = int_limits(c->node->in[0]->type);
    struct lut8 *lut;
    enum status st;

    if ((st = check(c->node, err)) || (st = map_plan(c, c->mode == CPU_FAST ? lut8_row : lut8_row_plain, sizeof *lut, err)))
        return st;
    lut = c->packed;
    for (int32_t q = l.lo; q <= l.hi; q++)
        lut->at[(uint8_t)q] = (uint8_t)fixed_clamp(f(q, arg), l.lo, l.hi);
    return ST_OK;
}
