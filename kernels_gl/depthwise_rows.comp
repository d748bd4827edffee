// Depthwise convolution, one output channel per input channel: ROWS rows of output below each other per invocation, so that
// each input is loaded once for all rows that it counts for. Filter height, stride and dilation are literals here: the
// compiler sees which row needs which tap.
#define SPAN ((ROWS - 1) * ROW_STRIDE + (TAPS - 1) * ROW_DILATION + 1)

void run(int b, int block, int w, int s)
{
    vec4 sum[ROWS];
    int y0 = block * ROWS * ROW_STRIDE - PAD_H, x = w * STRIDE_W - PAD_W;

    for (int r = 0; r < ROWS; r++)
        sum[r] = LOADW(w, s);
    for (int kx = 0; kx < KERNEL_W; kx++, x += DILATION_W) {
        vec4 column[TAPS];

        for (int ky = 0; ky < TAPS; ky++)
            column[ky] = LOADW(w, Y_S + (s * TAPS + ky) * KERNEL_W + kx);
        for (int i = 0; i < SPAN; i++) {
            vec4 v = LOADZ(x, b, y0 + i, x, s);

            for (int r = 0; r < ROWS; r++) {
                int at = i - r * ROW_STRIDE;

                if (at >= 0 && at % ROW_DILATION == 0 && at / ROW_DILATION < TAPS)
                    sum[r] += v * column[at / ROW_DILATION];
            }
        }
    }
    for (int r = 0; r < ROWS; r++)
        if (block * ROWS + r < Y_H)
            STORE(y, b, block * ROWS + r, w, s, sum[r]);
}
