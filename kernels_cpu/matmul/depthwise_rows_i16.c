/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_rows_i16.c - integer inner loops of DEPTHWISE_CONV_2D for each kind of CPU. */
#include "kernels_cpu/matmul/depthwise_rows.h"
#include "kernels_cpu/matmul/gemm.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Products and sums wrap, as they do in TFLite: unsigned vectors say so. */
#define VECTORS(n)                                                                                                                 \
    typedef uint32_t vec##n __attribute__((vector_size(4 * n), aligned(4), may_alias));                                            \
    typedef int32_t signed##n __attribute__((vector_size(4 * n)));                                                                 \
    typedef int16_t short##n __attribute__((vector_size(2 * n), aligned(2), may_alias));
VECTORS(1)
VECTORS(4)
VECTORS(8)

#define WRAPPING(acc, w, x) ((acc) + (w) * (x))
#define WIDEN(n, p)         ((vec##n) __builtin_convertvector(*(const short##n *)(p), signed##n))

/* Sums of a tile wait in a buffer for their store, which pays off in long runs. */
enum { TILE_COLS = 4, TILE_CHANNELS = 256 };
#define FINISH_VEC(n, r, acc, y, c) (*(vec##n *)(void *)((int32_t *)(void *)(y) + (c)) = (acc))

#define NAME scalar
#define TARGET
#define LANES                1
#define XTYPE                int16_t
#define WTYPE                int16_t
#define VEC                  vec1
#define LOADX(p)             WIDEN(1, p)
#define LOADW(p)             WIDEN(1, p)
#define MADD                 WRAPPING
#define FINISH(r, acc, y, c) FINISH_VEC(1, r, acc, y, c)
#include "kernels_cpu/matmul/depthwise_row.h"

#define NAME plain
#define TARGET
#define LANES                4
#define XTYPE                int16_t
#define WTYPE                int16_t
#define VEC                  vec4
#define LOADX(p)             WIDEN(4, p)
#define LOADW(p)             WIDEN(4, p)
#define MADD                 WRAPPING
#define FINISH(r, acc, y, c) FINISH_VEC(4, r, acc, y, c)
#include "kernels_cpu/matmul/depthwise_row.h"

#if defined(__aarch64__)

/* Every arm64 CPU multiplies 16 bits and adds to 32 in one step, SMLAL, the lower and the upper half of a vector in turn. SDOT adds
 * up four products of one channel, whose inputs lie apart here. */
typedef struct {
    int32x4_t low, high;
} halves;

static inline halves madd_neon(halves acc, int16x8_t w, int16x8_t x)
{
    return (halves){vmlal_s16(acc.low, vget_low_s16(w), vget_low_s16(x)), vmlal_high_s16(acc.high, w, x)};
}

static inline void halves_store(int32_t *y, halves acc)
{
    vst1q_s32(y, acc.low);
    vst1q_s32(y + 4, acc.high);
}

#define NAME neon
#define TARGET
#define LANES                8
#define XTYPE                int16_t
#define WTYPE                int16_t
#define VEC                  halves
#define LOADX(p)             vld1q_s16(p)
#define LOADW(p)             vld1q_s16(p)
#define MADD                 madd_neon
#define FINISH(r, acc, y, c) halves_store((int32_t *)(void *)(y) + (c), acc)
#include "kernels_cpu/matmul/depthwise_row.h"

#endif

/* All of `channels` channels of a run of up to TILE_COLS positions; y receives sums. */
typedef void (*sums_fn)(const struct dw_run *r);

static void run_tiled(const struct dw_run *r, sums_fn sums)
{
    const struct gemm_i16_post *post = r->post;
    const struct gemm g = {.post = r->post};
    int32_t sum[TILE_COLS * TILE_CHANNELS] __attribute__((aligned(64)));

    for (size_t first = 0; first < r->channels; first += TILE_CHANNELS) {
        size_t left = r->channels - first, channels = left < TILE_CHANNELS ? left : TILE_CHANNELS;

        for (size_t col = 0; col < r->cols; col += TILE_COLS) {
            struct dw_run tile = *r;

            tile.x = (const int16_t *)r->x + col * r->x_col + first;
            tile.w = (const int16_t *)r->w + first;
            tile.y = sum;
            tile.y_col = TILE_CHANNELS * sizeof *sum;
            tile.cols = r->cols - col < TILE_COLS ? r->cols - col : TILE_COLS;
            tile.channels = channels;
            sums(&tile);
            for (size_t i = 0; i < tile.cols; i++)
                post->store(&g, sum + i * TILE_CHANNELS, (char *)r->y + (col + i) * r->y_col, first, channels);
        }
    }
}

static void sums_plain(const struct dw_run *r)
{
#if defined(__aarch64__)
    scalar_row(r, plain_row(r, neon_row(r, 0)));
#else
    scalar_row(r, plain_row(r, 0));
#endif
}

static void run_plain(const struct dw_run *r)
{
    run_tiled(r, sums_plain);
}

#if defined(__x86_64__)

/* These CPUs multiply pairs of 16 bits and add them up in one step, and 32 bits in several: a weight is paired with zero. */

#define NAME                 avx2
#define TARGET               __attribute__((target("avx2")))
#define LANES                8
#define XTYPE                int16_t
#define WTYPE                int16_t
#define VEC                  vec8
#define LOADX(p)             WIDEN(8, p)
#define LOADW(p)             (vec8) _mm256_cvtepu16_epi32(*(const __m128i_u *)(p))
#define MADD(acc, w, x)      ((acc) + (vec8)_mm256_madd_epi16((__m256i)(x), (__m256i)(w)))
#define FINISH(r, acc, y, c) FINISH_VEC(8, r, acc, y, c)
#include "kernels_cpu/matmul/depthwise_row.h"

/* 32 channels, those of even and those of odd number in sums of their own: no input need be widened. */
typedef struct {
    __m512i even, odd;
} pairs;

#define AVX512      __attribute__((target("avx512f,avx512bw")))
#define AVX512_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))

static inline AVX512 pairs pairs_of(const int16_t *w)
{
    const __m512i both = _mm512_loadu_si512(w);

    return (pairs){_mm512_maskz_mov_epi16(0x55555555, both), _mm512_maskz_mov_epi16(0xaaaaaaaa, both)};
}

static inline AVX512 pairs madd_avx512(pairs acc, pairs w, __m512i x)
{
    return (pairs){_mm512_add_epi32(acc.even, _mm512_madd_epi16(x, w.even)),
                   _mm512_add_epi32(acc.odd, _mm512_madd_epi16(x, w.odd))};
}

static inline AVX512_VNNI pairs madd_vnni(pairs acc, pairs w, __m512i x)
{
    return (pairs){_mm512_dpwssd_epi32(acc.even, x, w.even), _mm512_dpwssd_epi32(acc.odd, x, w.odd)};
}

static inline AVX512 void pairs_store(int32_t *y, pairs acc)
{
    const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));

    _mm512_storeu_si512(y, _mm512_permutex2var_epi32(acc.even, low, acc.odd));
    _mm512_storeu_si512(y + 16, _mm512_permutex2var_epi32(acc.even, high, acc.odd));
}

#define NAME                 avx512
#define TARGET               AVX512
#define LANES                32
#define XTYPE                int16_t
#define WTYPE                int16_t
#define VEC                  pairs
#define LOADX(p)             _mm512_loadu_si512(p)
#define LOADW(p)             pairs_of(p)
#define MADD                 madd_avx512
#define FINISH(r, acc, y, c) pairs_store((int32_t *)(void *)(y) + (c), acc)
#include "kernels_cpu/matmul/depthwise_row.h"

#define NAME                 vnni
#define TARGET               AVX512_VNNI
#define LANES                32
#define XTYPE                int16_t
#define WTYPE                int16_t
#define VEC                  pairs
#define LOADX(p)             _mm512_loadu_si512(p)
#define LOADW(p)             pairs_of(p)
#define MADD                 madd_vnni
#define FINISH(r, acc, y, c) pairs_store((int32_t *)(void *)(y) + (c), acc)
#include "kernels_cpu/matmul/depthwise_row.h"

static void sums_avx2(const struct dw_run *r)
{
    scalar_row(r, plain_row(r, avx2_row(r, 0)));
}

static void sums_avx512(const struct dw_run *r)
{
    scalar_row(r, plain_row(r, avx2_row(r, avx512_row(r, 0))));
}

static void sums_vnni(const struct dw_run *r)
{
    scalar_row(r, plain_row(r, avx2_row(r, vnni_row(r, 0))));
}

static void run_avx2(const struct dw_run *r)
{
    run_tiled(r, sums_avx2);
}

static void run_avx512(const struct dw_run *r)
{
    run_tiled(r, sums_avx512);
}

static void run_vnni(const struct dw_run *r)
{
    run_tiled(r, sums_vnni);
}

#endif

/* Only 16-bit models need sums of 64 bits, so plain loops do. */
static void run_wide(const struct dw_run *r)
{
    const struct gemm_i16_post *post = r->post;
    const struct gemm g = {.post = r->post};

    for (size_t i = 0; i < r->cols * r->channels; i++) {
        size_t col = i / r->channels, c = i % r->channels;
        const int16_t *x = (const int16_t *)r->x + col * r->x_col + c;
        const int16_t *w = (const int16_t *)r->w + c;
        int64_t sum = 0;

        for (int ky = 0; ky < r->kh; ky++)
            for (int kx = 0; kx < r->kw; kx++)
                sum += (int64_t)x[(size_t)ky * r->x_ky + (size_t)kx * r->x_kx] * w[(size_t)ky * r->w_row + (size_t)kx * r->w_col];
        post->store_wide(&g, &sum, (char *)r->y + col * r->y_col, c, 1);
    }
}

dw_run_fn dw_i16_run(bool wide)
{
    if (wide)
        return run_wide;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw"))
        return run_vnni;
    if (__builtin_cpu_supports("avx512bw"))
        return run_avx512;
    if (__builtin_cpu_supports("avx2"))
        return run_avx2;
#endif
    return run_plain;
}
