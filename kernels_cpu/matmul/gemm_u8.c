/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_u8.c - the inner loops on UINT8 inputs and INT8 weights: four products in one step, where the CPU has it. */
#include <string.h>

#include "gemm.h"

enum { GROUP_BYTES = 4 }; /* elements of one sum that are multiplied together */

#if defined(__x86_64__)
#include <immintrin.h>

#define NAME                vnni
#define TEXT                "uint8"
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

static size_t packed_bytes(const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels)
{
    size_t n;

    if (__builtin_add_overflow(depth, GROUP_BYTES - 1, &n) || __builtin_mul_overflow(taps, n / GROUP_BYTES * GROUP_BYTES, &n) ||
        __builtin_mul_overflow(n, gemm_panels(isa, channels) * (size_t)isa->lanes, &n))
        return SIZE_MAX;
    return n;
}

/* Up to GROUP_BYTES weights of each of `used` channels. */
static void pack_group(const struct gemm_source *s, const int16_t *from, size_t elems, size_t used, size_t lanes, int8_t *to)
{
    memset(to, 0, GROUP_BYTES * lanes);
    for (size_t lane = 0; lane < used; lane++)
        for (size_t i = 0; i < elems; i++)
            to[GROUP_BYTES * lane + i] = (int8_t)from[lane * s->oc_stride + i * s->k_stride];
}

static void pack(const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels, struct gemm_source s, void *packed)
{
    size_t lanes = (size_t)isa->lanes;
    int8_t *to = packed;

    for (size_t first = 0; first < channels; first += lanes) {
        size_t used = channels - first < lanes ? channels - first : lanes;

        for (size_t t = 0; t < taps; t++)
            for (size_t k = 0; k < depth; k += GROUP_BYTES, to += GROUP_BYTES * lanes)
                pack_group(&s, (const int16_t *)s.w + s.from[t] + k * s.k_stride + first * s.oc_stride,
                           depth - k < GROUP_BYTES ? depth - k : GROUP_BYTES, used, lanes, to);
    }
}

const struct gemm_type gemm_u8 = {sizeof(uint8_t), sizeof(int16_t), isa_choose, packed_bytes, pack};
