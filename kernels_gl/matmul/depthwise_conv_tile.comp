// SPDX-License-Identifier: Apache-2.0
// depthwise_conv_tile.comp - one output channel per input channel: a tile of output (depthwise_conv_taps.comp) per invocation.
// Lanes run over the slices, too, so that they are full however small the image is.
void run(int b, int row, int column, int unused)
{
    int s = row / TILES_H;
    ivec2 first = ivec2(APART(column, COLUMNS, DILATION_W), APART(row - s * TILES_H, ROWS, DILATION_H));
    ivec2 corner = first * ivec2(COLUMN_STRIDE, ROW_STRIDE) - ivec2(PAD_W, PAD_H);
    SUM4 start = AS_SUM(START(s));
    vec4 unit = UNIT(s), shift = SHIFT(s);

#define READ_WEIGHT(i, weight) FACTOR4 weight = FACTOR(WEIGHT(BIASES + s * (TAPS_H * TAPS_W) + i));
    EACH_TAP(READ_WEIGHT)
#define BEGIN(i, sum) SUM4 sum = start;
    EACH_PIXEL(BEGIN)
    EACH_COLUMN(BEGIN_COLUMN)
    READ_ALL

#define STORE_ONE(i, sum) \
    { \
        ivec2 at = first + ivec2(i % COLUMNS * DILATION_W, i / COLUMNS * DILATION_H); \
 \
        if (at.x < Y_W && at.y < Y_H) \
            STORE(y, b, at.y, at.x, s, RESULT(sum, unit, shift)); \
    }
    EACH_PIXEL(STORE_ONE)
}
