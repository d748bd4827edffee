/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_f32.c - float32 inner loops for each kind of CPU, and the packing of their weights. */
#include <string.h>

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

GEMM_PACK(pack, float, float)

const struct gemm_type gemm_f32 = {sizeof(float), sizeof(float), isa_choose, pack};

void gemm_f32_pack_bias(const struct gemm_isa *isa, size_t channels, const float *bias, float *packed)
{
    size_t padded = gemm_panels(isa, channels) * (size_t)isa->lanes;

    memset(packed, 0, padded * sizeof *packed);
    if (bias)
        memcpy(packed, bias, channels * sizeof *packed);
}
