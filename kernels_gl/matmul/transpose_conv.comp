// SPDX-License-Identifier: Apache-2.0
// transpose_conv.comp - input row i covers output rows i * STRIDE_H - PAD_H + (0 to KERNEL_H - 1); likewise columns.
// FIRST_H and so on: split_k.h; they count the taps that meet a pixel.

void run(int b, int h, int w, int s)
{
    int bottom = h + PAD_H;
    int right = w + PAD_W;
    int top_tap = bottom % STRIDE_H, end_h = min(min(KERNEL_H, bottom + 1), top_tap + LAST_H * STRIDE_H);
    int left_tap = right % STRIDE_W, end_w = min(min(KERNEL_W, right + 1), left_tap + LAST_W * STRIDE_W);
    SUM4 sum = AS_SUM(START(s));
    vec4 unit = UNIT(s), shift = SHIFT(s);

    for (int ky = top_tap + FIRST_H * STRIDE_H; ky < end_h; ky += STRIDE_H) {
        int i = (bottom - ky) / STRIDE_H;

        if (i >= X_H)
            continue;
        for (int kx = left_tap + FIRST_W * STRIDE_W; kx < end_w; kx += STRIDE_W) {
            int j = (right - kx) / STRIDE_W;
            int at = BIASES + (((s * KERNEL_H + ky) * KERNEL_W + kx) * X_S + FIRST_S) * 4;

            if (j >= X_W)
                continue;
            for (int z = FIRST_S; z < LAST_S; z++, at += 4) {
                FACTOR4 v = FACTOR(COUNTS(LOAD(x, IMAGE, i, j, z)));

                ADD_TO(sum, MUL(v.x, FACTOR(WEIGHT_ROW(at, 0))) + MUL(v.y, FACTOR(WEIGHT_ROW(at, 1))) +
                                MUL(v.z, FACTOR(WEIGHT_ROW(at, 2))) + MUL(v.w, FACTOR(WEIGHT_ROW(at, 3))));
            }
        }
    }
    STORE(y, b, h, w, s, RESULT(sum, unit, shift));
}
