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

#if HYBRID
// Floats, one product after the other.
vec4 add_products(vec4 before, ivec4 v, ivec4 row[4], ivec4 mult, float step)
{
    vec4 sum = before;

    for (int k = 0; k < 4; k++) {
        vec4 product = vec4(v[k] * ivec4(row[0][k], row[1][k], row[2][k], row[3][k]));
        vec4 scaled = ROUNDED(product * exact_scales(mult), step);

        sum = ROUNDED(sum + ROUNDED(scaled * step, step), step);
    }
    return sum;
}
#else
ivec4 add_products(ivec4 sum, ivec4 v, ivec4 row[4], ivec4 mult, float step)
{
    return sum + ivec4(dot4(v, row[0]), dot4(v, row[1]), dot4(v, row[2]), dot4(v, row[3]));
}
#endif

void run(int b, int h, int w, int s)
{
    int bottom = h + PAD_H, right = w + PAD_W;
    ivec4 mult = exact_mult(s), shift = exact_shift(s);
#if HYBRID
    float step = LOAD(m, b, 0, 0, 0).x;
    vec4 sum = vec4(0.0);
#else
    float step = 0.0;
    ivec4 sum = exact_bias(s);
#endif

    // In the order of the input's rows and columns.
    for (int i = max(0, (bottom - KERNEL_H) / STRIDE_H); i < min(X_H, bottom / STRIDE_H + 1); i++) {
        int ky = bottom - i * STRIDE_H;

        if (ky >= KERNEL_H)
            continue;
        for (int j = max(0, (right - KERNEL_W) / STRIDE_W); j < min(X_W, right / STRIDE_W + 1); j++) {
            int kx = right - j * STRIDE_W, at = EXACT_HEAD + ((s * KERNEL_H + ky) * KERNEL_W + kx) * X_S;

            if (kx >= KERNEL_W)
                continue;
            for (int z = 0; z < X_S; z++, at++) {
                ivec4 row[4];
#if FILTER_VALUE
                for (int k = 0; k < 4; k++)
                    row[k] = filter_row(4 * s + k, ky, kx, z);
#else
                ivec4 bits = LOADI(w, at);

                for (int k = 0; k < 4; k++)
                    row[k] = weights(bits[k]);
#endif
                sum = add_products(sum, LOAD(x, b, i, j, z) - X_ZERO, row, mult, step);
            }
        }
    }
#if HYBRID && ADDS_BIAS
    sum = sum + exact_biases(shift);
#endif
#if HYBRID
    STORE(y, b, h, w, s, sum);
#else
    STORE(y, b, h, w, s, exact_requant(sum, mult, shift, s));
#endif
}
