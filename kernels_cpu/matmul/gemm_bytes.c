/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_bytes.c - the inner loops on inputs and weights of 8 bits: four products in one step, where the CPU has it. */
#include <string.h>
#if defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

#include "gemm_bytes.h"
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

enum { LIFT = 128 };

#elif defined(__aarch64__)

/* Clang and GCC know different names for the set of instructions, and not every version has the intrinsic of functions that are
 * compiled for more than their file. */
#if defined(__clang__)
#define SDOT __attribute__((target("dotprod")))
#else
#define SDOT __attribute__((target("arch=armv8.2-a+dotprod")))
#endif

static inline SDOT int32x4_t madd_sdot(int32x4_t acc, int32x4_t w, int32_t group)
{
    __asm__("sdot %0.4s, %1.16b, %2.16b" : "+w"(acc) : "w"(w), "w"(vdupq_n_s32(group)));
    return acc;
}

#define NAME                sdot
#define ELEM                int8_t
#define TARGET              SDOT
#define LANES               4
#define TILE                8
#define VEC                 int32x4_t
#define LOAD(p)             vreinterpretq_s32_s8(vld1q_s8(p))
#define STORE(p, v)         vst1q_s32((p), (v))
#define ZERO                vdupq_n_s32(0)
#define MADD(acc, w, group) madd_sdot((acc), (w), (group))
#include "gemm_int_tile.h"

/* Linux's bit for SDOT and UDOT; headers of some C libraries lack its name. */
#define ASIMDDP (1ul << 20)

static const struct gemm_isa *isa_choose(void)
{
    return getauxval(AT_HWCAP) & ASIMDDP ? &sdot_isa : NULL;
}

enum { LIFT = 0 };

#else

static const struct gemm_isa *isa_choose(void)
{
    return NULL;
}

enum { LIFT = 0 };

#endif

GEMM_PACK(pack, int16_t, int8_t, 4)

const struct gemm_type gemm_bytes = {sizeof(uint8_t), sizeof(int16_t), 4, isa_choose, pack};
const int32_t gemm_bytes_lift = LIFT;
