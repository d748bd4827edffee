/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_rows_f32.c - float32 inner loops of DEPTHWISE_CONV_2D for each kind of CPU. */
#include "kernels_cpu/matmul/depthwise_rows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define VECTORS(n)                                                                                                                 \
    typedef float vec##n __attribute__((vector_size(4 * n), aligned(4), may_alias));                                               \
    typedef int32_t mask##n __attribute__((vector_size(4 * n)));
VECTORS(1)
VECTORS(4)
VECTORS(8)
VECTORS(16)

#define ROUNDED(acc, w, x) ((acc) + (w) * (x))

/* Adds the bias and clamps; comparisons that NaN fails, so that it passes. A macro, since functions that take wide vectors
 * have no stable ABI. */
#define FINISH_VEC(n, r, acc, y, c)                                                                                                \
    do {                                                                                                                           \
        const struct dw_f32_post *post_ = (r)->post;                                                                               \
        vec##n v_ = (acc) + *(const vec##n *)(post_->bias + (c));                                                                  \
        vec##n lo_ = (vec##n){0} + post_->lo, hi_ = (vec##n){0} + post_->hi;                                                       \
        mask##n bad_ = v_ < lo_;                                                                                                   \
        v_ = (vec##n)(((mask##n)lo_ & bad_) | ((mask##n)v_ & ~bad_));                                                              \
        bad_ = v_ > hi_;                                                                                                           \
        v_ = (vec##n)(((mask##n)hi_ & bad_) | ((mask##n)v_ & ~bad_));                                                              \
        *(vec##n *)((float *)(void *)(y) + (c)) = v_;                                                                              \
    } while (0)

#define NAME scalar
#define TARGET
#define LANES                1
#define XTYPE                float
#define WTYPE                float
#define VEC                  vec1
#define LOADX(p)             (*(const vec1 *)(p))
#define LOADW(p)             (*(const vec1 *)(p))
#define MADD                 ROUNDED
#define FINISH(r, acc, y, c) FINISH_VEC(1, r, acc, y, c)
#include "kernels_cpu/matmul/depthwise_row.h"

#if !defined(__aarch64__) /* which always has better */
#define NAME plain
#define TARGET
#define LANES                4
#define XTYPE                float
#define WTYPE                float
#define VEC                  vec4
#define LOADX(p)             (*(const vec4 *)(p))
#define LOADW(p)             (*(const vec4 *)(p))
#define MADD                 ROUNDED
#define FINISH(r, acc, y, c) FINISH_VEC(4, r, acc, y, c)
#include "kernels_cpu/matmul/depthwise_row.h"

static void run_plain(const struct dw_run *r)
{
    scalar_row(r, plain_row(r, 0));
}
#endif

#if defined(__x86_64__)

#define NAME                 avx
#define TARGET               __attribute__((target("avx")))
#define LANES                8
#define XTYPE                float
#define WTYPE                float
#define VEC                  vec8
#define LOADX(p)             (*(const vec8 *)(p))
#define LOADW(p)             (*(const vec8 *)(p))
#define MADD                 ROUNDED
#define FINISH(r, acc, y, c) FINISH_VEC(8, r, acc, y, c)
#include "kernels_cpu/matmul/depthwise_row.h"

#define NAME                 fma
#define TARGET               __attribute__((target("avx2,fma")))
#define LANES                8
#define XTYPE                float
#define WTYPE                float
#define VEC                  vec8
#define LOADX(p)             (*(const vec8 *)(p))
#define LOADW(p)             (*(const vec8 *)(p))
#define MADD(acc, w, x)      _mm256_fmadd_ps((w), (x), (acc))
#define FINISH(r, acc, y, c) FINISH_VEC(8, r, acc, y, c)
#include "kernels_cpu/matmul/depthwise_row.h"

#define NAME                 fma512
#define TARGET               __attribute__((target("avx512f,fma")))
#define LANES                16
#define XTYPE                float
#define WTYPE                float
#define VEC                  vec16
#define LOADX(p)             (*(const vec16 *)(p))
#define LOADW(p)             (*(const vec16 *)(p))
#define MADD(acc, w, x)      _mm512_fmadd_ps((w), (x), (acc))
#define FINISH(r, acc, y, c) FINISH_VEC(16, r, acc, y, c)
#include "kernels_cpu/matmul/depthwise_row.h"

static void run_avx(const struct dw_run *r)
{
    scalar_row(r, plain_row(r, avx_row(r, 0)));
}

static void run_fma(const struct dw_run *r)
{
    scalar_row(r, plain_row(r, fma_row(r, 0)));
}

static void run_fma512(const struct dw_run *r)
{
    scalar_row(r, plain_row(r, fma_row(r, fma512_row(r, 0))));
}

dw_run_fn dw_f32_run(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return run_fma512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return run_fma;
    return __builtin_cpu_supports("avx") ? run_avx : run_plain;
}

#elif defined(__aarch64__)

#define NAME neon
#define TARGET
#define LANES                4
#define XTYPE                float
#define WTYPE                float
#define VEC                  vec4
#define LOADX(p)             (*(const vec4 *)(p))
#define LOADW(p)             (*(const vec4 *)(p))
#define MADD(acc, w, x)      (vec4) vfmaq_f32((float32x4_t)(acc), (float32x4_t)(w), (float32x4_t)(x))
#define FINISH(r, acc, y, c) FINISH_VEC(4, r, acc, y, c)
#include "kernels_cpu/matmul/depthwise_row.h"

static void run_neon(const struct dw_run *r)
{
    scalar_row(r, neon_row(r, 0));
}

dw_run_fn dw_f32_run(void)
{
    return run_neon;
}

#else

dw_run_fn dw_f32_run(void)
{
    return run_plain;
}

#endif
