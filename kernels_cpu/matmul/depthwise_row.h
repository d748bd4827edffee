/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_row.h - the inner loops of DEPTHWISE_CONV_2D, written once and compiled for each element type and kind of CPU.
 *
 * Include it with NAME, TARGET (a function attribute), LANES, XTYPE and WTYPE (elements), VEC (a vector of LANES sums), LOADX(p),
 * LOADW(p), MADD(acc, w, x) and FINISH(r, acc, y, c), which stores the results of channels c .. c + LANES - 1 for the position at
 * y. LOADX and LOADW may return vectors of another type, as MADD accepts them. No include guard: each inclusion defines NAME_row,
 * which computes a run for as many channels as fill whole vectors. depthwise_rows_f32.c and depthwise_rows_i16.c combine the
 * widest, the next and a scalar one into a dw_run_fn.
 *
 * A channel's sum reads input of that channel alone, so there is nothing to broadcast or pack: vectors lie across neighbouring
 * channels of inputs, weights and outputs as these are stored. Each sum runs over ky, then kx. VEC may be wider than the elements:
 * integers widen in LOADX and LOADW. All names are undefined at the end. */

#define PASTE_(a, b) a##_##b
#define PASTE(a, b)  PASTE_(a, b)
#define FN(x)        PASTE(NAME, x)

/* Compute m neighbouring positions, inputs from x and outputs from y on, for the vector of channels from c on. m is 4 or 1: four
 * sums hide the latency of a product and share each vector of weights. kh and kw are the size of the window, or at an edge of its
 * part inside the input; literals for the common sizes, so that the loops unroll. */
static inline __attribute__((always_inline)) TARGET void FN(tile)(const struct dw_run *r, const XTYPE *x, char *y, size_t c,
                                                                  const int m, const int kh, const int kw)
{
    VEC acc[4];

#pragma GCC unroll 4
    for (int i = 0; i < m; i++)
        acc[i] = (VEC){0};
#pragma GCC unroll 3
    for (int ky = 0; ky < kh; ky++) {
#pragma GCC unroll 3
        for (int kx = 0; kx < kw; kx++) {
            const __auto_type w = LOADW((const WTYPE *)r->w + (size_t)ky * r->w_row + (size_t)kx * r->w_col + c);
            const XTYPE *from = x + (size_t)ky * r->x_ky + (size_t)kx * r->x_kx + c;

#pragma GCC unroll 4
            for (int i = 0; i < m; i++)
                acc[i] = MADD(acc[i], w, LOADX(from + (size_t)i * r->x_col));
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < m; i++)
        FINISH(r, acc[i], y + (size_t)i * r->y_col, c);
}

/* Compute all positions of the run for the vector of channels from c on. */
static inline __attribute__((always_inline)) TARGET void FN(window)(const struct dw_run *r, size_t c, const int kh, const int kw)
{
    const XTYPE *x = r->x;
    char *y = r->y;
    size_t col = 0;

    for (; col + 4 <= r->cols; col += 4)
        FN(tile)(r, x + col * r->x_col, y + col * r->y_col, c, 4, kh, kw);
    for (; col < r->cols; col++)
        FN(tile)(r, x + col * r->x_col, y + col * r->y_col, c, 1, kh, kw);
}

/* Compute the run for whole vectors of channels from c on; return the first channel not computed: c + LANES > r->channels. */
static TARGET size_t FN(row)(const struct dw_run *r, size_t c)
{
    for (; c + LANES <= r->channels; c += LANES) {
        if (r->kh == 3 && r->kw == 3)
            FN(window)(r, c, 3, 3);
        else
            FN(window)(r, c, r->kh, r->kw);
    }
    return c;
}

#undef FN
#undef PASTE
#undef PASTE_
#undef NAME
#undef TARGET
#undef LANES
#undef XTYPE
#undef WTYPE
#undef VEC
#undef LOADX
#undef LOADW
#undef MADD
#undef FINISH
