/* depthwise_f32_row.h - the float32 inner loops of DEPTHWISE_CONV_2D, written once and compiled for each kind of CPU.
 *
 * Included with NAME, TARGET (a function attribute), LANES and MADD(acc, w, x) on vectors. No include guard. Each inclusion
 * makes NAME_row, which computes `cols` positions of a run for as many channels as fill whole vectors. */

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
#define FN(x) PASTE(NAME, x)

typedef float FN(vec) __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef int32_t FN(mask) __attribute__((vector_size(LANES * 4)));

/* m positions and one vector of channels; the window's size is a literal for the common ones, so that its loops unroll. */
static inline __attribute__((always_inline)) TARGET void FN(tile)(const struct dw_run *r, const float *x, float *y,
                                                                  size_t c, const int m, const int kh, const int kw)
{
    FN(vec) acc[4];

#pragma GCC unroll 4
    for (int i = 0; i < m; i++)
        acc[i] = (FN(vec)){0};
#pragma GCC unroll 3
    for (int ky = 0; ky < kh; ky++) {
#pragma GCC unroll 3
        for (int kx = 0; kx < kw; kx++) {
            FN(vec) w = *(const FN(vec) *)(r->w + (size_t)ky * r->w_row + (size_t)kx * r->channels + c);
            const float *from = x + (size_t)ky * r->x_ky + (size_t)kx * r->x_kx + c;

#pragma GCC unroll 4
            for (int i = 0; i < m; i++)
                acc[i] = MADD(acc[i], w, *(const FN(vec) *)(from + (size_t)i * r->x_col));
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < m; i++) {
        FN(vec) v = acc[i] + *(const FN(vec) *)(r->bias + c), lo = (FN(vec)){0} + r->lo, hi = (FN(vec)){0} + r->hi;
        FN(mask) under = v < lo, over;

        /* Comparisons that NaN fails: it passes through the clamp. */
        v = (FN(vec))(((FN(mask))lo & under) | ((FN(mask))v & ~under));
        over = v > hi;
        v = (FN(vec))(((FN(mask))hi & over) | ((FN(mask))v & ~over));
        *(FN(vec) *)(y + (size_t)i * r->channels + c) = v;
    }
}

static inline __attribute__((always_inline)) TARGET void FN(window)(const struct dw_run *r, size_t c, const int kh,
                                                                    const int kw)
{
    size_t col = 0;

    for (; col + 4 <= r->cols; col += 4)
        FN(tile)(r, r->x + col * r->x_col, r->y + col * r->channels, c, 4, kh, kw);
    for (; col < r->cols; col++)
        FN(tile)(r, r->x + col * r->x_col, r->y + col * r->channels, c, 1, kh, kw);
}

/* Starts at channel c; returns the first channel that it left. */
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
#undef MADD
