// SPDX-License-Identifier: Apache-2.0
// exact_transpose_conv.comp - input row i covers output rows i * STRIDE_H - PAD_H + (0 to KERNEL_H - 1); likewise columns. One
// vec4 of output per invocation.

ivec4 weights(int bits)
{
#if SIGNED_WEIGHTS
    return (ivec4(bits << 24, bits << 16, bits << 8, bits) >> 24) - WEIGHT_ZERO;
#else
    return (ivec4(bits, bits >> 8, bits >> 16, bits >> 24) & 255) - WEIGHT_ZERO;
#endif
}

int dot4(ivec4 a, ivec4 b)
{
    ivec4 p = a * b;

    return p.x + p.y + p.z + p.w;
}

void run(int b, int h, int w, int s)
{
    int bottom = h + PAD_H, right = w + PAD_W;
    ivec4 sum = exact_bias(s);

    for (int ky = bottom % STRIDE_H; ky < min(KERNEL_H, bottom + 1); ky += STRIDE_H) {
        int i = (bottom - ky) / STRIDE_H;

        if (i >= X_H)
            continue;
        for (int kx = right % STRIDE_W; kx < min(KERNEL_W, right + 1); kx += STRIDE_W) {
            int j = (right - kx) / STRIDE_W, at = EXACT_HEAD + ((s * KERNEL_H + ky) * KERNEL_W + kx) * X_S;

            if (j >= X_W)
                continue;
            for (int z = 0; z < X_S; z++, at++) {
                ivec4 v = LOAD(x, b, i, j, z) - X_ZERO, bits = LOADI(w, at);

                sum += ivec4(dot4(v, weights(bits.x)), dot4(v, weights(bits.y)), dot4(v, weights(bits.z)),
                             dot4(v, weights(bits.w)));
            }
        }
    }
    STORE(y, b, h, w, s, exact_requant(sum, exact_mult(s), exact_shift(s), s));
}
