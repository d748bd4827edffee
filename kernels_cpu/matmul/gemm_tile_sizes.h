/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_tile_sizes.h - a function for each size of tile, and the gemm_isa that calls them.
 *
 * gemm_f32_tile.h, gemm_int_tile.h and gemm_bytes.c include it with FN, TARGET, LANES, TILE (4, 6 or 8), GROUP and FN(body), whose
 * last two arguments are literals here. All of these are undefined at the end. No include guard, as there.
 *
 * gemm_run cuts a row of the grid into tiles of about equal size, 1 to TILE positions, and passes one or two panels. Each m and
 * number of panels needs code in which they are constants, or the sums would not stay in registers. */

#define SIZE(m)                                                                                                                    \
    static TARGET void FN(m##x1)(const struct gemm *g, const void *const *x, void *const *y, size_t panel)                         \
    {                                                                                                                              \
        FN(body)(g, x, y, panel, m, 1);                                                                                            \
    }                                                                                                                              \
    static TARGET void FN(m##x2)(const struct gemm *g, const void *const *x, void *const *y, size_t panel)                         \
    {                                                                                                                              \
        FN(body)(g, x, y, panel, m, 2);                                                                                            \
    }                                                                                                                              \
    _Static_assert(m <= TILE, "by_size has TILE rows")

SIZE(1);
SIZE(2);
SIZE(3);
SIZE(4);
#if TILE > 4
SIZE(5);
SIZE(6);
#endif
#if TILE > 6
SIZE(7);
SIZE(8);
#endif

/* gemm_isa.run: 1 <= m <= TILE, panels 1 or 2. */
static void FN(run)(const struct gemm *g, const void *const *x, void *const *y, int m, size_t panel, int panels)
{
    static void (*const by_size[TILE][2])(const struct gemm *, const void *const *, void *const *, size_t) = {
        {FN(1x1), FN(1x2)},
        {FN(2x1), FN(2x2)},
        {FN(3x1), FN(3x2)},
        {FN(4x1), FN(4x2)},
#if TILE > 4
        {FN(5x1), FN(5x2)},
        {FN(6x1), FN(6x2)},
#endif
#if TILE > 6
        {FN(7x1), FN(7x2)},
        {FN(8x1), FN(8x2)},
#endif
    };

    by_size[m - 1][panels - 1](g, x, y, panel);
}

static const struct gemm_isa FN(isa) = {.lanes = LANES, .tile = TILE, .group = GROUP, .run = FN(run)};

#undef SIZE
#undef FN
#undef PASTE
#undef PASTE_
#undef NAME
#undef TARGET
#undef LANES
#undef TILE
#undef GROUP
