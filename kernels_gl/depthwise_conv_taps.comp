// SPDX-License-Identifier: Apache-2.0
// depthwise_conv_taps.comp - ROWS x COLUMNS pixels of a slice of a depthwise convolution, a dilation apart, so that their windows
// meet the same inputs and each of those is loaded once. Window and strides are literals here and all loops macros: which pixel
// needs which tap is known when this is compiled. What lies outside is read at the border and then dropped, which takes no branch.
// Adds to sum[ROWS * COLUMNS] of slice s what weight[TAPS_H * TAPS_W] say, the window of the first pixel beginning at `corner`.
#define SPAN_H ((ROWS - 1) * ROW_STRIDE + TAPS_H)
#define SPAN_W ((COLUMNS - 1) * COLUMN_STRIDE + TAPS_W)
#if DILATED
#define APART(block, count, dilation) ((block) / (dilation) * ((count) * (dilation)) + (block) % (dilation))
#else
#define APART(block, count, dilation) ((block) * (count))
#endif

#define TAP_OF(at, pixel, stride, taps) clamp((at) - (pixel) * (stride), 0, (taps) - 1)
#define HAS_TAP(at, pixel, stride, taps) (TAP_OF(at, pixel, stride, taps) == (at) - (pixel) * (stride))
#define ADD(i) \
    if (HAS_TAP(I, i / COLUMNS, ROW_STRIDE, TAPS_H) && HAS_TAP(J, i % COLUMNS, COLUMN_STRIDE, TAPS_W)) \
        sum[i] += v * weight[TAP_OF(I, i / COLUMNS, ROW_STRIDE, TAPS_H) * TAPS_W + TAP_OF(J, i % COLUMNS, COLUMN_STRIDE, TAPS_W)];
#define READ(i) \
    { \
        const int I = i / SPAN_W, J = i % SPAN_W; \
        ivec2 at = corner + ivec2(J * DILATION_W, I * DILATION_H), within = clamp(at, ivec2(0), ivec2(X_W - 1, X_H - 1)); \
        vec4 v = mix(vec4(0.0), COUNTS(LOAD(x, b, within.y, within.x, s)), bvec4(at == within)); \
        EACH_PIXEL(ADD) \
    }
