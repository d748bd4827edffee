// SPDX-License-Identifier: Apache-2.0
// transpose_conv.comp - input row i covers output rows i * STRIDE_H - PAD_H + (0 to KERNEL_H - 1); likewise columns.

void run(int b, int h, int w, int s)
{
    int bottom = h + PAD_H;
    int right = w + PAD_W;
    vec4 sum = LOADW(w, s);

    for (int ky = bottom % STRIDE_H; ky < KERNEL_H && ky <= bottom; ky += STRIDE_H) {
        int i = (bottom - ky) / STRIDE_H;

        if (i >= X_H)
            continue;
        for (int kx = right % STRIDE_W; kx < KERNEL_W && kx <= right; kx += STRIDE_W) {
            int j = (right - kx) / STRIDE_W;
            int at = Y_S + ((s * KERNEL_H + ky) * KERNEL_W + kx) * X_S * 4;

            if (j >= X_W)
                continue;
            for (int z = 0; z < X_S; z++, at += 4) {
                vec4 v = LOAD(x, b, i, j, z);

                sum += v.x * LOADW(w, at) + v.y * LOADW(w, at + 1) + v.z * LOADW(w, at + 2) + v.w * LOADW(w, at + 3);
            }
        }
    }
    STORE(y, b, h, w, s, sum);
}
