// SPDX-License-Identifier: Apache-2.0
// depthwise_conv_rows.comp - one output channel per input channel: ROWS rows of output per invocation, DILATION_H apart, so that
// their windows meet the same inputs and each of those is loaded once. Filter height and stride are literals here: the compiler
// sees which row needs which tap.
#define SPAN ((ROWS - 1) * ROW_STRIDE + TAPS)

void run(int b, int block, int w, int s)
{
    SUM4 sum[ROWS];
    vec4 unit = UNIT(s), shift = SHIFT(s);
    int h = block / DILATION_H * ROWS * DILATION_H + block % DILATION_H;
    int y0 = h * ROW_STRIDE - PAD_H, x = w * STRIDE_W - PAD_W;

    for (int r = 0; r < ROWS; r++)
        sum[r] = AS_SUM(START(s));
    for (int kx = 0; kx < KERNEL_W; kx++, x += DILATION_W) {
        FACTOR4 column[TAPS];

        for (int ky = 0; ky < TAPS; ky++)
            column[ky] = FACTOR(WEIGHT(BIASES + (s * TAPS + ky) * KERNEL_W + kx));
        for (int i = 0; i < SPAN; i++) {
            FACTOR4 v = FACTOR(COUNTS(LOADZ(x, b, y0 + i * DILATION_H, x, s)));

            for (int r = 0; r < ROWS; r++) {
                int ky = i - r * ROW_STRIDE;

                if (ky >= 0 && ky < TAPS)
                    ADD_TO(sum[r], MUL(v, column[ky]));
            }
        }
    }
    for (int r = 0; r < ROWS; r++) {
        int y = h + r * DILATION_H;

        if (y < Y_H)
            STORE(y, b, y, w, s, RESULT(sum[r], unit, shift));
    }
}
