/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_f32.c - float32 inner loops for each kind of CPU, and the packing of their weights. */
#include <string.h>

#include "kernels_cpu/common/transpose_words.h"
#include "kernels_cpu/matmul/gemm_pack.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define ROUNDED(acc, w, a) ((acc) + (w) * (a))

#define NAME plain
#define TARGET
#define LANES 4
#define TILE  6
#define MADD  ROUNDED
#include "kernels_cpu/matmul/gemm_f32_tile.h"

#if defined(__x86_64__)

#define NAME   avx
#define TARGET __attribute__((target("avx")))
#define LANES  8
#define TILE   6
#define MADD   ROUNDED
#include "kernels_cpu/matmul/gemm_f32_tile.h"

#define NAME            fma
#define TARGET          __attribute__((target("avx2,fma")))
#define LANES           8
#define TILE            6
#define MADD(acc, w, a) _mm256_fmadd_ps((w), _mm256_set1_ps(a), (acc))
#include "kernels_cpu/matmul/gemm_f32_tile.h"

#define NAME            fma512
#define TARGET          __attribute__((target("avx512f")))
#define LANES           16
#define TILE            8
#define MADD(acc, w, a) _mm512_fmadd_ps((w), _mm512_set1_ps(a), (acc))
#include "kernels_cpu/matmul/gemm_f32_tile.h"

static const struct gemm_isa *isa_choose(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return &fma512_isa;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &fma_isa;
    return __builtin_cpu_supports("avx") ? &avx_isa : &plain_isa;
}

#elif defined(__aarch64__)

#define NAME neon
#define TARGET
#define LANES           4
#define TILE            8
#define MADD(acc, w, a) vfmaq_n_f32((acc), (w), (a))
#include "kernels_cpu/matmul/gemm_f32_tile.h"

static const struct gemm_isa *isa_choose(void)
{
    return &neon_isa;
}

#else

static const struct gemm_isa *isa_choose(void)
{
    return &plain_isa;
}

#endif

GEMM_PACK(pack_any, float, float)

/* A whole panel of one tap; `lanes` is a multiple of 4. */
static void pack_transposed(const float *from, size_t oc_stride, size_t depth, size_t lanes, float *to)
{
    size_t k = 0;

    for (; k + 4 <= depth; k += 4)
        for (size_t lane = 0; lane < lanes; lane += 4)
            transpose_words(to + k * lanes + lane, (ptrdiff_t)(lanes * sizeof *to), from + lane * oc_stride + k,
                            (ptrdiff_t)(oc_stride * sizeof *from));
    for (; k < depth; k++)
        for (size_t lane = 0; lane < lanes; lane++)
            to[k * lanes + lane] = from[lane * oc_stride + k];
}

static void pack_rows(const float *from, size_t k_stride, size_t depth, size_t lanes, float *to)
{
    for (size_t k = 0; k < depth; k++)
        memcpy(to + k * lanes, from + k * k_stride, lanes * sizeof *to);
}

/* Products whose weights are computed at run time pack them in each run, so that whole panels are packed by vectors: of weights
 * stored [k][oc] a row is copied, and weights stored [oc][k] are transposed. */
static void pack(const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels, struct gemm_source s, void *packed)
{
    const size_t lanes = (size_t)isa->lanes, panel = taps * depth * lanes;
    const size_t whole = s.oc_stride == 1 || s.k_stride == 1 ? channels / lanes : 0;
    float *to = packed;

    for (size_t i = 0; i < whole; i++)
        for (size_t t = 0; t < taps; t++, to += depth * lanes) {
            const float *from = (const float *)s.w + s.from[t] + i * lanes * s.oc_stride;

            if (s.oc_stride == 1)
                pack_rows(from, s.k_stride, depth, lanes, to);
            else
                pack_transposed(from, s.oc_stride, depth, lanes, to);
        }
    s.w = (const float *)s.w + whole * lanes * s.oc_stride;
    pack_any(isa, taps, depth, channels - whole * lanes, s, (float *)packed + whole * panel);
}

const struct gemm_type gemm_f32 = {sizeof(float), sizeof(float), isa_choose, pack};

void gemm_f32_pack_bias(const struct gemm_isa *isa, size_t channels, const float *bias, float *packed)
{
    size_t padded = gemm_panels(isa, channels) * (size_t)isa->lanes;

    memset(packed, 0, padded * sizeof *packed);
    if (bias)
        memcpy(packed, bias, channels * sizeof *packed);
}
