/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_bytes.c - the inner loops on inputs and weights of 8 bits: four or eight products per instruction, if the CPU has it. */
#if defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

#include "kernels_cpu/matmul/gemm_bytes.h"
#include "kernels_cpu/matmul/gemm_pack.h"

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
#include "kernels_cpu/matmul/gemm_int_tile.h"

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
#include "kernels_cpu/matmul/gemm_int_tile.h"

#if defined(__clang__)
#define I8MM __attribute__((target("i8mm")))
#else
#define I8MM __attribute__((target("arch=armv8.2-a+i8mm")))
#endif

/* Sums of two positions and two channels, {x0 w0, x0 w1, x1 w0, x1 w1}, from eight bytes of each. */
static inline I8MM int32x4_t madd_smmla(int32x4_t acc, int8x16_t x, int8x16_t w)
{
    __asm__("smmla %0.4s, %1.16b, %2.16b" : "+w"(acc) : "w"(x), "w"(w));
    return acc;
}

#define PASTE_(a, b) a##_##b
#define PASTE(a, b)  PASTE_(a, b)
#define FN(x)        PASTE(NAME, x)
#define NAME         i8mm
#define TARGET       I8MM
#define LANES        4
#define TILE         8
#define GROUP        8

/* As in gemm_int_tile.h, positions and channels by twos: where m is odd, the last position twice. */
static inline __attribute__((always_inline)) TARGET void FN(body)(const struct gemm *g, const void *const *x, void *const *y,
                                                                  size_t panel, const int m, const int panels)
{
    const struct gemm_i16_post *post = g->post;
    const size_t groups = (g->depth + GROUP - 1) / GROUP, panel_elems = g->w_taps * groups * GROUP * LANES;
    const int8_t *weights = (const int8_t *)g->w + panel * panel_elems;
    const size_t first = panel * LANES, left = g->channels - first;
    const size_t count = left < (size_t)panels * LANES ? left : (size_t)panels * LANES;
    int32_t sum[2 * LANES];
    int32x4_t acc[TILE / 2][LANES];

#pragma GCC unroll 16
    for (int i = 0; i < (m + 1) / 2; i++)
        acc[i][0] = acc[i][1] = acc[i][2] = acc[i][3] = vdupq_n_s32(0);
    for (size_t t = 0; t < g->taps; t++) {
        const int8_t *w = weights + g->tap_w[t] * groups * GROUP * LANES;
        const int8_t *a[TILE];

#pragma GCC unroll 16
        for (int i = 0; i < (m + 1) / 2 * 2; i++)
            a[i] = (const int8_t *)x[i < m ? i : m - 1] + g->tap_x[t];
        for (size_t k = 0; k < groups; k++, w += GROUP * LANES) {
            const int8_t *next = panels > 1 ? w + panel_elems : w;
            const int8x16_t pair[] = {vld1q_s8(w), vld1q_s8(w + 16), vld1q_s8(next), vld1q_s8(next + 16)};

#pragma GCC unroll 16
            for (int i = 0; i < (m + 1) / 2; i++) {
                const int8x16_t both = vcombine_s8(vld1_s8(a[2 * i] + GROUP * k), vld1_s8(a[2 * i + 1] + GROUP * k));

#pragma GCC unroll 16
                for (int j = 0; j < 2 * panels; j++)
                    acc[i][j] = madd_smmla(acc[i][j], both, pair[j]);
            }
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < m; i++) {
#pragma GCC unroll 16
        for (int j = 0; j < 2 * panels; j++)
            vst1_s32(sum + 2 * j, i % 2 ? vget_high_s32(acc[i / 2][j]) : vget_low_s32(acc[i / 2][j]));
        post->store(g, sum, y[i], first, count);
    }
}

#include "kernels_cpu/matmul/gemm_tile_sizes.h"

/* Linux's bits for SDOT and for SMMLA; headers of some C libraries lack their names. */
enum { ASIMDDP = 1 << 20, I8MM_BIT = 1 << 13 };

static const struct gemm_isa *isa_choose(void)
{
    if (getauxval(AT_HWCAP2) & I8MM_BIT)
        return &i8mm_isa;
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

GEMM_PACK(pack, int16_t, int8_t)

const struct gemm_type gemm_bytes = {sizeof(uint8_t), sizeof(int16_t), isa_choose, pack};
const int32_t gemm_bytes_lift = LIFT;
