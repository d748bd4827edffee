// SPDX-License-Identifier: Apache-2.0
// depthwise_conv_tile.comp - one output channel per input channel: ROWS x COLUMNS pixels of output per invocation, a dilation
// apart, so that their windows meet the same inputs and each of those is loaded once. Window and strides are literals here and all
// loops macros: which pixel needs which tap is known when this is compiled. What lies outside is read at the border and then
// dropped, which takes no branch. Lanes run over the slices, too, so that they are full however small the image is.
#define SPAN_H ((ROWS - 1) * ROW_STRIDE + TAPS_H)
#define SPAN_W ((COLUMNS - 1) * COLUMN_STRIDE + TAPS_W)
#if DILATED
#define APART(block, count, dilation) ((block) / (dilation) * ((count) * (dilation)) + (block) % (dilation))
#else
#define APART(block, count, dilation) ((block) * (count))
#endif

void run(int b, int row, int column, int unused)
{
    int s = row / TILES_H;
    ivec2 first = ivec2(APART(column, COLUMNS, DILATION_W), APART(row - s * TILES_H, ROWS, DILATION_H));
    ivec2 corner = first * ivec2(COLUMN_STRIDE, ROW_STRIDE) - ivec2(PAD_W, PAD_H);
    vec4 weight[TAPS_H * TAPS_W], sum[ROWS * COLUMNS], start = START(s), unit = UNIT(s), shift = SHIFT(s);

#define READ_WEIGHT(i) weight[i] = WEIGHT(BIASES + s * (TAPS_H * TAPS_W) + i);
    EACH_TAP(READ_WEIGHT)
#define BEGIN(i) sum[i] = start;
    EACH_PIXEL(BEGIN)

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
    EACH_INPUT(READ)

#define STORE_ONE(i) \
    { \
        ivec2 at = first + ivec2(i % COLUMNS * DILATION_W, i / COLUMNS * DILATION_H); \
 \
        if (at.x < Y_W && at.y < Y_H) \
            STORE(y, b, at.y, at.x, s, RESULT(sum[i], unit, shift)); \
    }
    EACH_PIXEL(STORE_ONE)
}
