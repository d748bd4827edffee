// SPDX-License-Identifier: Apache-2.0
// exact_order.comp - direct convolution of floats, one term after the other.

void run(int b, int h, int w, int s)
{
    PRECISE vec4 sum = vec4(0.0);

    for (int ky = 0; ky < KERNEL_H; ky++) {
        int i = h * STRIDE_H - PAD_H + ky * DILATION_H;

        if (i < 0 || i >= X_H)
            continue;
        for (int kx = 0; kx < KERNEL_W; kx++) {
            int k = w * STRIDE_W - PAD_W + kx * DILATION_W, at = BIASES + ((s * KERNEL_H + ky) * KERNEL_W + kx) * X_S * 4;

            if (k < 0 || k >= X_W)
                continue;
            for (int z = 0; z < X_S; z++, at += 4) {
                vec4 v = LOAD(x, b, i, k, z);

                sum = sum + v.x * WEIGHT(at);
                sum = sum + v.y * WEIGHT(at + 1);
                sum = sum + v.z * WEIGHT(at + 2);
                sum = sum + v.w * WEIGHT(at + 3);
            }
        }
    }
#if ADDS_BIAS
    sum = sum + BIAS(s);
#endif
    STORE(y, b, h, w, s, sum);
}
