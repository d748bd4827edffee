/* SPDX-License-Identifier: Apache-2.0 */
/* requant.c - from integer sums to quantized outputs: scales and biases of each channel, made once. */
#include "kernels_cpu/quant/requant.h"

#include <math.h>
#include <string.h>

#include "kernels_cpu/quant/packed_int.h"

/* ---- one sum to one quantized output, any kind of scaling ---- */

static int32_t scale_real(double scaled)
{
    scaled = round(scaled);
    scaled = scaled < INT32_MIN ? INT32_MIN : scaled;
    return (int32_t)(scaled > INT32_MAX ? INT32_MAX : scaled);
}

int32_t requant_one(const struct requant *r, size_t channel, int64_t sum)
{
    struct fixed_mul m = {r->mult[channel], r->shift[channel]};
    int32_t narrow = (int32_t)((uint32_t)sum + (uint32_t)r->bias[channel]), y;

    switch (r->kind) {
    case REQUANT_FIXED: y = fixed_scale(narrow, m); break;
    case REQUANT_FIXED_WIDE: y = fixed_scale64(sum + r->bias_wide[channel], m); break;
    default: y = scale_real((double)(r->type == TYPE_INT16 ? sum + r->bias_wide[channel] : narrow) * r->scale[channel]);
    }
    return fixed_clamp((int32_t)((uint32_t)y + (uint32_t)r->zero), r->range.lo, r->range.hi);
}

/* ---- store a run of sums as outputs: any kind of scaling, and fast loops for 8-bit outputs ---- */

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define STORE(name, sum_type)                                                                                                      \
    static void name(const struct gemm *g, const sum_type *sum, void *y, size_t channel, size_t count)                             \
    {                                                                                                                              \
        const struct requant *r = g->post;                                                                                         \
                                                                                                                                   \
        for (size_t i = 0; i < count; i++) {                                                                                       \
            const int32_t v = requant_one(r, channel + i, sum[i]);                                                                 \
                                                                                                                                   \
            packed_int_store(r->type, y, channel + i, 1, &v);                                                                      \
        }                                                                                                                          \
    }
STORE(store_any, int32_t)
STORE(store_wide, int64_t)

#if defined(__x86_64__)

/* fixed_scale in vectors. A scale above 0 has a positive multiplier, so the high product never saturates. */

static __attribute__((target("avx512f,avx512bw"))) void store_bytes_avx512(const struct gemm *g, const int32_t *sum, void *y,
                                                                           size_t channel, size_t count)
{
    const struct requant *r = g->post;
    const __m512i zero = _mm512_set1_epi32(r->zero), lo = _mm512_set1_epi32(r->range.lo), hi = _mm512_set1_epi32(r->range.hi);
    const __m512i none = _mm512_setzero_si512(), one = _mm512_set1_epi32(1), round = _mm512_set1_epi64(1 << 30);

    for (size_t i = 0; i < count; i += 16) {
        const __mmask16 used = count - i < 16 ? (__mmask16)((1u << (count - i)) - 1) : (__mmask16)0xffff;
        __m512i mult = _mm512_maskz_loadu_epi32(used, r->mult + channel + i);
        __m512i shift = _mm512_maskz_loadu_epi32(used, r->shift + channel + i);
        __m512i left = _mm512_max_epi32(shift, none), right = _mm512_max_epi32(_mm512_sub_epi32(none, shift), none);
        __m512i mask = _mm512_sub_epi32(_mm512_sllv_epi32(one, right), one);
        __m512i x = _mm512_add_epi32(_mm512_maskz_loadu_epi32(used, sum + i),
                                     _mm512_maskz_loadu_epi32(used, r->bias + channel + i));
        __m512i even, odd, limit;

        x = _mm512_sllv_epi32(x, left);
        even = _mm512_add_epi64(_mm512_mul_epi32(x, mult), round);
        odd = _mm512_add_epi64(_mm512_mul_epi32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(mult, 32)), round);
        x = _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 31), _mm512_slli_epi64(odd, 1));
        limit = _mm512_sub_epi32(_mm512_srli_epi32(mask, 1), _mm512_srai_epi32(x, 31));
        x = _mm512_mask_add_epi32(_mm512_srav_epi32(x, right), _mm512_cmpgt_epi32_mask(_mm512_and_si512(x, mask), limit),
                                  _mm512_srav_epi32(x, right), one);
        x = _mm512_min_epi32(_mm512_max_epi32(_mm512_add_epi32(x, zero), lo), hi);
        _mm512_mask_cvtepi32_storeu_epi8((int8_t *)y + channel + i, used, x);
    }
}

static __attribute__((target("avx2"))) void store_bytes_avx2(const struct gemm *g, const int32_t *sum, void *y, size_t channel,
                                                             size_t count)
{
    const struct requant *r = g->post;
    const __m256i zero = _mm256_set1_epi32(r->zero), lo = _mm256_set1_epi32(r->range.lo), hi = _mm256_set1_epi32(r->range.hi);
    const __m256i none = _mm256_setzero_si256(), one = _mm256_set1_epi32(1), round = _mm256_set1_epi64x(1 << 30);
    /* The lowest byte of each lane, side by side in each half. */
    const __m256i bytes = _mm256_set1_epi32(0x0c080400);
    size_t i = 0;

    for (; i + 8 <= count; i += 8) {
        __m256i mult = _mm256_loadu_si256((const __m256i *)(r->mult + channel + i));
        __m256i shift = _mm256_loadu_si256((const __m256i *)(r->shift + channel + i));
        __m256i left = _mm256_max_epi32(shift, none), right = _mm256_max_epi32(_mm256_sub_epi32(none, shift), none);
        __m256i mask = _mm256_sub_epi32(_mm256_sllv_epi32(one, right), one);
        __m256i x = _mm256_add_epi32(_mm256_loadu_si256((const __m256i *)(sum + i)),
                                     _mm256_loadu_si256((const __m256i *)(r->bias + channel + i)));
        __m256i even, odd, limit;
        int32_t half[2];

        x = _mm256_sllv_epi32(x, left);
        even = _mm256_add_epi64(_mm256_mul_epi32(x, mult), round);
        odd = _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(mult, 32)), round);
        x = _mm256_blend_epi32(_mm256_srli_epi64(even, 31), _mm256_slli_epi64(odd, 1), 0xaa);
        limit = _mm256_sub_epi32(_mm256_srli_epi32(mask, 1), _mm256_srai_epi32(x, 31));
        x = _mm256_sub_epi32(_mm256_srav_epi32(x, right), _mm256_cmpgt_epi32(_mm256_and_si256(x, mask), limit));
        x = _mm256_min_epi32(_mm256_max_epi32(_mm256_add_epi32(x, zero), lo), hi);
        x = _mm256_shuffle_epi8(x, bytes);
        half[0] = _mm256_extract_epi32(x, 0);
        half[1] = _mm256_extract_epi32(x, 4);
        memcpy((int8_t *)y + channel + i, half, sizeof half);
    }
    store_any(g, sum + i, y, channel + i, count - i);
}

#endif

/* Set r->post to the widest loops that this CPU has for r's kind and type. All give the bits of requant_one: REQUANT_FIXED to 8
 * bits in vectors, all else by calling requant_one for each value. */
static void requant_choose_store(struct requant *r)
{
    r->post.store_wide = store_wide;
    r->post.store = store_any;
#if defined(__x86_64__)
    if (r->kind != REQUANT_FIXED || r->type == TYPE_INT16)
        return;
    if (__builtin_cpu_supports("avx512bw"))
        r->post.store = store_bytes_avx512;
    else if (__builtin_cpu_supports("avx2"))
        r->post.store = store_bytes_avx2;
#endif
}

/* ---- scales and biases of each channel ---- */

size_t requant_layout(struct layout *l, size_t channels)
{
    size_t at = layout_add(l, channels, sizeof(double));

    layout_add(l, channels, sizeof(int64_t));
    for (int i = 0; i < 3; i++)
        layout_add(l, channels, sizeof(int32_t));
    return at;
}

/* Return the next array, in the order of requant_layout, and advance *memory. */
static void *take(char **memory, size_t channels, size_t size)
{
    struct layout l = {0};
    char *at = *memory;

    layout_add(&l, channels, size);
    *memory += l.bytes;
    return at;
}

static double channel_scale(const struct requant_spec *s, size_t i)
{
    float in = quant_scale(s->input), whole = quant_scale(s->filter);
    float filter = s->filter->quant.n > 1 ? s->filter->quant.scale[i] : whole;
    double product = s->float_product ? (double)(in * whole) : (double)in * (double)filter;

    return product / (double)quant_scale(s->output);
}

/* Wide sums saturate from a scale of 2^14 on (fixed_scale64), so larger scales need no limit; REQUANT_REAL has none. */
static bool scale_fixed(enum requant_kind kind, double real, struct fixed_mul *m)
{
    if (kind != REQUANT_FIXED && fabs(real) >= 0x1p30)
        real = copysign(0x1.fffffffcp29, real); /* the largest multiplier */
    return fixed_from_double(real, m);
}

enum status requant_init(struct requant *r, const struct requant_spec *s, char *memory, struct err *err)
{
    double *scale = take(&memory, s->channels, sizeof *scale);
    int64_t *bias_wide = take(&memory, s->channels, sizeof *bias_wide);
    int32_t *bias = take(&memory, s->channels, sizeof *bias);
    int32_t *mult = take(&memory, s->channels, sizeof *mult), *shift = take(&memory, s->channels, sizeof *shift);

    *r = (struct requant){.kind = s->kind,
                          .type = s->output->type,
                          .zero = quant_zero(s->output),
                          .bias = bias,
                          .bias_wide = bias_wide,
                          .mult = mult,
                          .shift = shift,
                          .scale = scale};
    requant_choose_store(r);
    for (size_t i = 0; i < s->channels; i++) {
        struct fixed_mul m;

        scale[i] = channel_scale(s, i);
        if (!isfinite(scale[i]) || !scale_fixed(s->kind, scale[i], &m))
            return err_set(err, ST_BAD_MODEL, "channel %zu scales its sum by %g, beyond fixed point", i, scale[i]);
        mult[i] = m.mult;
        shift[i] = m.shift;
    }
    return activation_range_quant(s->activation, s->output, &r->range, err);
}

void requant_set_bias(struct requant *r, const struct tensor *bias, size_t channels)
{
    int32_t *narrow = (int32_t *)r->bias;
    int64_t *wide = (int64_t *)r->bias_wide;

    for (size_t i = 0; i < channels; i++) {
        wide[i] = bias ? tensor_int(bias, i) : 0;
        narrow[i] = (int32_t)((uint32_t)wide[i] + (r->offset ? (uint32_t)r->offset[i] : 0));
    }
}

struct requant requant_from(const struct requant *r, size_t first)
{
    struct requant out = *r;

    out.bias += first;
    out.bias_wide += first;
    out.mult += first;
    out.shift += first;
    out.scale += first;
    return out;
}
