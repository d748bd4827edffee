/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_int_tile.h - the integer inner loops, written once and compiled for each element type and kind of CPU.
 *
 * Include it with NAME, TARGET (a function attribute), ELEM (of inputs and weights), LANES, TILE (4 or 8), VEC (a vector of LANES
 * sums), LOAD(p), STORE(p, v), ZERO, and MADD(acc, w, group), which adds to each lane the products of its group of weights and the
 * group of inputs, as many elements as an int32 holds. No include guard: every inclusion defines a gemm_isa, NAME_isa.
 *
 * A group is two int16 (pmaddwd, vdpwssd and similar) or four bytes (vpdpbusd). The last group along the depth is padded with zero
 * weights, so elements read beyond the inputs' end (see gemm.x) do not affect results. Sums are int32 and wrap, as TFLite's would
 * overflow; 64-bit sums have their own loops in gemm_i16.c. gemm_i16_post.store requantizes the sums, scales them to floats or
 * stores them as they are. */

#define PASTE_(a, b) a##_##b
#define PASTE(a, b)  PASTE_(a, b)
#define FN(x)        PASTE(NAME, x)
#define GROUP        (4 / sizeof(ELEM))

/* gemm_isa.run for one size: sum m positions (x[i], y[i]) and `panels` (1 or 2) panels from `panel` on, and call post->store. m and
 * panels are literals in every call, so that all loops over them unroll and the sums live in registers. */
static inline __attribute__((always_inline)) TARGET void FN(body)(const struct gemm *g, const void *const *x, void *const *y,
                                                                  size_t panel, const int m, const int panels)
{
    const struct gemm_i16_post *post = g->post;
    const size_t groups = (g->depth + GROUP - 1) / GROUP, panel_elems = g->w_taps * groups * GROUP * LANES;
    const ELEM *weights = (const ELEM *)g->w + panel * panel_elems;
    const size_t first = panel * LANES, left = g->channels - first;
    const size_t count = left < (size_t)panels * LANES ? left : (size_t)panels * LANES;
    int32_t sum[2 * LANES] __attribute__((aligned(64)));
    VEC acc[TILE][2];

#pragma GCC unroll 16
    for (int i = 0; i < m; i++)
        acc[i][0] = acc[i][1] = ZERO;
    for (size_t t = 0; t < g->taps; t++) {
        const ELEM *w = weights + g->tap_w[t] * groups * GROUP * LANES;
        const ELEM *a[TILE];

#pragma GCC unroll 16
        for (int i = 0; i < m; i++)
            a[i] = (const ELEM *)x[i] + g->tap_x[t];
        for (size_t k = 0; k < groups; k++, w += GROUP * LANES) {
            const __auto_type w0 = LOAD(w);
            const __auto_type w1 = panels > 1 ? LOAD(w + panel_elems) : w0;

#pragma GCC unroll 16
            for (int i = 0; i < m; i++) {
                int32_t group; /* every lane gets the same inputs: a broadcast of 32 bits */

                memcpy(&group, a[i] + GROUP * k, sizeof group);
                acc[i][0] = MADD(acc[i][0], w0, group);
                if (panels > 1)
                    acc[i][1] = MADD(acc[i][1], w1, group);
            }
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < m; i++) {
        STORE(sum, acc[i][0]);
        if (panels > 1)
            STORE(sum + LANES, acc[i][1]);
        post->store(g, sum, y[i], first, count);
    }
}

#include "kernels_cpu/matmul/gemm_tile_sizes.h"

#undef ELEM
#undef VEC
#undef LOAD
#undef STORE
#undef ZERO
#undef MADD
