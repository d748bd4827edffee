/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_i16.c - int16 inner loops for each kind of CPU, and the packing of their weights.
 *
 * Weights go in pairs along the depth, since CPUs multiply int16 and add neighbouring products in one instruction. */
#include <string.h>

#include "kernels_cpu/matmul/gemm_pack.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__x86_64__)

#define NAME plain
#define ELEM int16_t
#define TARGET
#define LANES              4
#define TILE               4
#define VEC                __m128i
#define LOAD(p)            _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v)        _mm_storeu_si128((__m128i *)(p), (v))
#define ZERO               _mm_setzero_si128()
#define MADD(acc, w, pair) _mm_add_epi32((acc), _mm_madd_epi16((w), _mm_set1_epi32(pair)))
#include "kernels_cpu/matmul/gemm_int_tile.h"

#define NAME               avx2
#define ELEM               int16_t
#define TARGET             __attribute__((target("avx2")))
#define LANES              8
#define TILE               4
#define VEC                __m256i
#define LOAD(p)            _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v)        _mm256_storeu_si256((__m256i *)(p), (v))
#define ZERO               _mm256_setzero_si256()
#define MADD(acc, w, pair) _mm256_add_epi32((acc), _mm256_madd_epi16((w), _mm256_set1_epi32(pair)))
#include "kernels_cpu/matmul/gemm_int_tile.h"

#define NAME               avx512
#define ELEM               int16_t
#define TARGET             __attribute__((target("avx512f,avx512bw")))
#define LANES              16
#define TILE               8
#define VEC                __m512i
#define LOAD(p)            _mm512_loadu_si512(p)
#define STORE(p, v)        _mm512_storeu_si512((p), (v))
#define ZERO               _mm512_setzero_si512()
#define MADD(acc, w, pair) _mm512_add_epi32((acc), _mm512_madd_epi16((w), _mm512_set1_epi32(pair)))
#include "kernels_cpu/matmul/gemm_int_tile.h"

#define NAME               vnni
#define ELEM               int16_t
#define TARGET             __attribute__((target("avx512f,avx512bw,avx512vnni")))
#define LANES              16
#define TILE               8
#define VEC                __m512i
#define LOAD(p)            _mm512_loadu_si512(p)
#define STORE(p, v)        _mm512_storeu_si512((p), (v))
#define ZERO               _mm512_setzero_si512()
#define MADD(acc, w, pair) _mm512_dpwssd_epi32((acc), (w), _mm512_set1_epi32(pair))
#include "kernels_cpu/matmul/gemm_int_tile.h"

static const struct gemm_isa *isa_choose(void)
{
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw"))
        return &vnni_isa;
    if (__builtin_cpu_supports("avx512bw"))
        return &avx512_isa;
    return __builtin_cpu_supports("avx2") ? &avx2_isa : &plain_isa;
}

#else

#if defined(__aarch64__)

/* A lane's two products go to sums of their own, which SMLAL adds to as it multiplies; they meet when they are stored. */
typedef struct {
    int32x4_t low, high;
} halves;

static inline halves madd_neon(halves acc, int16x8_t w, int32_t pair)
{
    const int16x8_t p = vreinterpretq_s16_s32(vdupq_n_s32(pair));

    return (halves){vmlal_s16(acc.low, vget_low_s16(w), vget_low_s16(p)), vmlal_high_s16(acc.high, w, p)};
}

#define NAME plain
#define ELEM int16_t
#define TARGET
#define LANES              4
#define TILE               4
#define VEC                halves
#define LOAD(p)            vld1q_s16(p)
#define STORE(p, v)        vst1q_s32((p), vpaddq_s32((v).low, (v).high))
#define ZERO               ((halves){vdupq_n_s32(0), vdupq_n_s32(0)})
#define MADD(acc, w, pair) madd_neon((acc), (w), (pair))
#include "kernels_cpu/matmul/gemm_int_tile.h"

#else

/* One lane: a pair of weights in an int32. */
static inline int32_t madd_scalar(int32_t acc, int32_t w, int32_t pair)
{
    int16_t a[2], b[2];

    memcpy(a, &w, sizeof a);
    memcpy(b, &pair, sizeof b);
    return (int32_t)((uint32_t)acc + (uint32_t)(a[0] * b[0]) + (uint32_t)(a[1] * b[1]));
}

static inline int32_t load_scalar(const int16_t *p)
{
    int32_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

#define NAME plain
#define ELEM int16_t
#define TARGET
#define LANES              1
#define TILE               4
#define VEC                int32_t
#define LOAD(p)            load_scalar(p)
#define STORE(p, v)        (*(p) = (v))
#define ZERO               0
#define MADD(acc, w, pair) madd_scalar((acc), (w), (pair))
#include "kernels_cpu/matmul/gemm_int_tile.h"

#endif

static const struct gemm_isa *isa_choose(void)
{
    return &plain_isa;
}

#endif

/* Sums of 64 bits: only 16-bit models need them, so plain loops do. */
static void wide_run(const struct gemm *g, const void *const *x, void *const *y, int m, size_t panel, int panels)
{
    enum { LANES = 4 };
    const struct gemm_i16_post *post = g->post;
    size_t pairs = (g->depth + 1) / 2;

    for (int i = 0; i < m * panels; i++) {
        size_t first = (panel + (size_t)(i / m)) * LANES, left = g->channels - first;
        const int16_t *weights = (const int16_t *)g->w + first * g->w_taps * pairs * 2;
        int64_t sum[LANES] = {0};

        for (size_t t = 0; t < g->taps; t++) {
            const int16_t *w = weights + g->tap_w[t] * pairs * 2 * LANES;
            const int16_t *a = (const int16_t *)x[i % m] + g->tap_x[t];

            for (size_t k = 0; k < pairs; k++, w += 2 * LANES)
                for (int lane = 0; lane < LANES; lane++)
                    sum[lane] += (int64_t)a[2 * k] * w[2 * lane] + (int64_t)a[2 * k + 1] * w[2 * lane + 1];
        }
        post->store_wide(g, sum, y[i % m], first, left < LANES ? left : LANES);
    }
}

static const struct gemm_isa wide_isa = {.lanes = 4, .tile = 4, .group = 2, .run = wide_run};

static const struct gemm_isa *isa_wide(void)
{
    return &wide_isa;
}

GEMM_PACK(pack, int16_t, int16_t)

const struct gemm_type gemm_i16 = {sizeof(int16_t), sizeof(int16_t), isa_choose, pack};
const struct gemm_type gemm_i16_wide = {sizeof(int16_t), sizeof(int16_t), isa_wide, pack};
