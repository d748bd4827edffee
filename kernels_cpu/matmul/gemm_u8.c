/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_u8.c - the inner loops on UINT8 inputs and INT8 weights: four products in one step, where the CPU has it. */
#include <string.h>

#include "gemm_pack.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define NAME                vnni
#define ELEM                uint8_t
#define TARGET              __attribute__((target("avx512f,avx512bw,avx512vnni")))
#define LANES               16
#define TILE                8
#define VEC                 __m512i
#define LOAD(p)             _mm512_loadu_si512(p)
#define STORE(p, v)         _mm512_storeu_si512((p), (v))
#define ZERO                _mm512_setzero_si512()
#define MADD(acc, w, group) _mm512_dpbusd_epi32((acc), _mm512_set1_epi32(group), (w))
#include "gemm_int_tile.h"

static const struct gemm_isa *isa_choose(void)
{
    return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") ? &vnni_isa : NULL;
}

#else

static const struct gemm_isa *isa_choose(void)
{
    return NULL;
}

#endif

GEMM_PACK(pack, int16_t, int8_t, 4)

const struct gemm_type gemm_u8 = {sizeof(uint8_t), sizeof(int16_t), 4, isa_choose, pack};
