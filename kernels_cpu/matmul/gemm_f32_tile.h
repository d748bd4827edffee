/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_f32_tile.h - the float32 inner loops, written once and compiled for each kind of CPU.
 *
 * Include it with NAME, TARGET (a function attribute), LANES, TILE (8 or 6) and MADD(acc, w, a), which adds the vector w times the
 * scalar a. No include guard: every inclusion defines a gemm_isa, NAME_isa, whose `run` keeps gemm.h's contract. 2 * TILE sums, two
 * vectors of weights and one of inputs must fit the CPU's 16 or 32 vector registers.
 *
 * Vectors are the compiler's (vector_size), so the loops are written once; MADD is the fused product, which the compiler would not
 * choose itself. Everything is inlined into a function with TARGET: calls between functions of different targets could neither be
 * inlined nor pass vectors. Only gemm_f32.c includes this; it uses NAME_isa if the CPU has the instructions. */

#define PASTE_(a, b) a##_##b
#define PASTE(a, b)  PASTE_(a, b)
#define FN(x)        PASTE(NAME, x)

/* One vector of sums; float pointers alias it, and need not be aligned to more than a float. */
typedef float FN(vec) __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef int32_t FN(mask) __attribute__((vector_size(LANES * 4)));

/* gemm_isa.run for one size: sum m positions (x[i], y[i]) and `panels` (1 or 2) panels from `panel` on over all taps and the whole
 * depth, finish and store. m and panels are literals in every call, so that all loops over them unroll and the sums live in
 * registers. Each sum runs over taps, then k, in ascending order. */
static inline __attribute__((always_inline)) TARGET void FN(body)(const struct gemm *g, const void *const *x, void *const *y,
                                                                  size_t panel, const int m, const int panels)
{
    const struct gemm_f32_post *post = g->post;
    const size_t panel_floats = g->w_taps * g->depth * LANES; /* from a panel's weights to the next one's */
    const float *weights = (const float *)g->w + panel * panel_floats;
    const float *bias = post->bias + panel * LANES;
    FN(vec) acc[TILE][2];

#pragma GCC unroll 16
    for (int i = 0; i < m; i++) {
#pragma GCC unroll 2
        for (int j = 0; j < panels; j++)
            acc[i][j] = post->bias_first ? *(const FN(vec) *)(bias + j * LANES) : (FN(vec)){0};
    }
    for (size_t t = 0; t < g->taps; t++) {
        const float *w = weights + g->tap_w[t] * g->depth * LANES;
        const float *a[TILE];

#pragma GCC unroll 16
        for (int i = 0; i < m; i++)
            a[i] = (const float *)x[i] + g->tap_x[t];
        for (size_t k = 0; k < g->depth; k++, w += LANES) {
            /* Two vectors of weights meet m scalars: 2 * m products from m + 2 loads. */
            FN(vec) w0 = *(const FN(vec) *)w;
            FN(vec) w1 = panels > 1 ? *(const FN(vec) *)(w + panel_floats) : w0;

#pragma GCC unroll 16
            for (int i = 0; i < m; i++) {
                acc[i][0] = MADD(acc[i][0], w0, a[i][k]);
                if (panels > 1)
                    acc[i][1] = MADD(acc[i][1], w1, a[i][k]);
            }
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < m; i++) {
#pragma GCC unroll 2
        for (int j = 0; j < panels; j++) {
            FN(vec) v = acc[i][j], lo = (FN(vec)){0} + post->lo, hi = (FN(vec)){0} + post->hi;
            float *out = (float *)y[i] + (panel + (size_t)j) * LANES;
            size_t left = g->channels - (panel + (size_t)j) * LANES;
            FN(mask) under, over;

            if (!post->bias_first)
                v += *(const FN(vec) *)(bias + j * LANES);
            /* Comparisons that NaN fails: it passes through the clamp. */
            under = v < lo;
            v = (FN(vec))(((FN(mask))lo & under) | ((FN(mask))v & ~under));
            over = v > hi;
            v = (FN(vec))(((FN(mask))hi & over) | ((FN(mask))v & ~over));
            /* Of the last panel only the real channels: the bytes behind may be the next position's. */
            if (left >= LANES)
                *(FN(vec) *)out = v;
            else
                memcpy(out, &v, left * sizeof *out);
        }
    }
}

#define GROUP 1
#include "kernels_cpu/matmul/gemm_tile_sizes.h"

#undef MADD
