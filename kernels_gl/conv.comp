// Direct convolution: PIXELS neighbours along w, one slice of output channels per invocation.
// Weights: Y_S biases, then for each slice, filter row, filter column and input slice four vec4: one per input channel,
// each for the four output channels.
void run(int b, int h, int block, int s)
{
    vec4 sum[PIXELS];
    int w0 = block * PIXELS;
    int i = Y_S + s * KERNEL_H * KERNEL_W * X_S * 4;

    for (int p = 0; p < PIXELS; p++)
        sum[p] = LOADW(w, s);
    for (int ky = 0; ky < KERNEL_H; ky++) {
        int y = h * STRIDE_H - PAD_H + ky * DILATION_H;

        if (y < 0 || y >= X_H) {
            i += KERNEL_W * X_S * 4;
            continue;
        }
        for (int kx = 0; kx < KERNEL_W; kx++) {
            int x0 = w0 * STRIDE_W - PAD_W + kx * DILATION_W;

            for (int z = 0; z < X_S; z++, i += 4) {
                vec4 k0 = LOADW(w, i), k1 = LOADW(w, i + 1), k2 = LOADW(w, i + 2), k3 = LOADW(w, i + 3);

                for (int p = 0; p < PIXELS; p++) {
                    vec4 v = LOADZ(x, b, y, x0 + p * STRIDE_W, z);

#if INFINITE_WEIGHTS
                    if (x0 + p * STRIDE_W < 0 || x0 + p * STRIDE_W >= X_W)
                        continue;
#endif
                    sum[p] += v.x * k0 + v.y * k1 + v.z * k2 + v.w * k3;
                }
            }
        }
    }
    for (int p = 0; p < PIXELS; p++)
        if (w0 + p < Y_W)
            STORE(y, b, h, w0 + p, s, sum[p]);
}
