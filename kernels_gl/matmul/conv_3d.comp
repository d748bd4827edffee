// SPDX-License-Identifier: Apache-2.0
// conv_3d.comp - a window of depth, height and width over the input, or its transpose; the filter is a value "f".

// The input coordinate that tap k of output coordinate o reads, or -1.
int place(int o, int k, int stride, int dilation, int pad, int extent)
{
#if TRANSPOSED
    int t = o + pad - k * dilation;

    return t < 0 || t % stride != 0 || t / stride >= extent ? -1 : t / stride;
#else
    int t = o * stride - pad + k * dilation;

    return t < 0 || t >= extent ? -1 : t;
#endif
}

#if DEPTHWISE
vec4 tap(int b, int i, int j, int ky, int kx, int s)
{
#if MULTIPLIER == 1
    return LOAD(x, b, i, j, s) * LOAD(f, 0, ky, kx, s);
#else
    ivec4 c = min(4 * s + ivec4(0, 1, 2, 3), ivec4(Y_C - 1)) / MULTIPLIER;

    return vec4(LOADC(x, b, i, j, c.x), LOADC(x, b, i, j, c.y), LOADC(x, b, i, j, c.z), LOADC(x, b, i, j, c.w)) *
           LOAD(f, 0, ky, kx, s);
#endif
}
#elif GROUPS > 1
vec4 tap(int b, int i, int j, int ky, int kx, int s)
{
    vec4 sum = vec4(0.0);

    for (int k = 0; k < 4; k++) {
        int o = min(4 * s + k, Y_C - 1);
        int first = o / (Y_C / GROUPS) * F_C;

        for (int c = 0; c < F_C; c++)
            sum[k] += LOADC(x, b, i, j, first + c) * LOADC(f, o, ky, kx, c);
    }
    return sum;
}
#else
vec4 tap(int b, int i, int j, int ky, int kx, int s)
{
    ivec4 o = min(4 * s + ivec4(0, 1, 2, 3), ivec4(Y_C - 1));
    vec4 sum = vec4(0.0);

    for (int c = 0; c < X_S; c++) {
        vec4 v = LOAD(x, b, i, j, c);

        sum += vec4(dot(v, LOAD(f, o.x, ky, kx, c)), dot(v, LOAD(f, o.y, ky, kx, c)), dot(v, LOAD(f, o.z, ky, kx, c)),
                    dot(v, LOAD(f, o.w, ky, kx, c)));
    }
    return sum;
}
#endif

void run(int b, int h, int w, int s)
{
    int first = b / OUT_D * IN_D;
    vec4 sum = vec4(0.0);

    for (int kz = 0; kz < KERNEL_D; kz++) {
        int z = place(b % OUT_D, kz, STRIDE_D, DILATION_D, PAD_D, IN_D);

        if (z < 0)
            continue;
        for (int ky = 0; ky < KERNEL_H; ky++) {
            int i = place(h, ky, STRIDE_H, DILATION_H, PAD_H, X_H);

            if (i < 0)
                continue;
            for (int kx = 0; kx < KERNEL_W; kx++) {
                int j = place(w, kx, STRIDE_W, DILATION_W, PAD_W, X_W);

                if (j >= 0)
                    sum += tap(first + z, i, j, kz * KERNEL_H + ky, kx, s);
            }
        }
    }
    STORE(y, b, h, w, s, sum);
}
