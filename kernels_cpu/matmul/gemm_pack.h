/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_pack.h - packing of weights into panels, for each element type.
 *
 * Constant weights are packed once, so it may be slow: element by element, through the strides of struct gemm_source. The order is
 * the one in which the inner loops read (gemm_type.pack in gemm.h). With 4 lanes and groups of 2, one tap of depth 3 and 5 channels
 * (a letter per channel, a digit per k) becomes
 *
 *   panel 0: a0 a1 b0 b1 c0 c1 d0 d1   a2 0 b2 0 c2 0 d2 0
 *   panel 1: e0 e1 0 0 0 0 0 0         e2 0 0 0 0 0 0 0 */
#pragma once

#include <string.h>

#include "kernels_cpu/matmul/gemm.h"

/* Define `name`, a gemm_type.pack from elements of from_t to elements of to_t, which must hold their values, in groups of
 * isa->group. Lanes beyond the channels, and elements beyond the depth, are zeros. It reads only within [taps][depth][channels]. */
#define GEMM_PACK(name, from_t, to_t)                                                                                              \
    static void name(const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels, struct gemm_source s, void *packed)   \
    {                                                                                                                              \
        const size_t lanes = (size_t)isa->lanes, group = (size_t)isa->group;                                                       \
        to_t *to = packed;                                                                                                         \
                                                                                                                                   \
        for (size_t first = 0; first < channels; first += lanes) {                                                                 \
            const size_t used = channels - first < lanes ? channels - first : lanes;                                               \
                                                                                                                                   \
            for (size_t t = 0; t < taps; t++) {                                                                                    \
                for (size_t k = 0; k < depth; k += group, to += group * lanes) {                                                   \
                    const from_t *from = (const from_t *)s.w + s.from[t] + k * s.k_stride + first * s.oc_stride;                   \
                    const size_t elems = depth - k < group ? depth - k : group;                                                    \
                                                                                                                                   \
                    memset(to, 0, group *lanes * sizeof *to);                                                                      \
                    for (size_t lane = 0; lane < used; lane++)                                                                     \
                        for (size_t i = 0; i < elems; i++)                                                                         \
                            to[group * lane + i] = (to_t)from[lane * s.oc_stride + i * s.k_stride];                                \
                }                                                                                                                  \
            }                                                                                                                      \
        }                                                                                                                          \
    }
