// SPDX-License-Identifier: Apache-2.0
// exact_depthwise.comp - depthwise convolution in integers, one vec4 of output per invocation, MULTIPLIER output channels per input
// channel.
#if MULTIPLIER == 1
#define INPUT(b, y, x, s) LOAD(x, b, y, x, s)
#else
ivec4 spread(int b, int y, int x, int s)
{
    ivec4 c = min((4 * s + ivec4(0, 1, 2, 3)) / MULTIPLIER, ivec4(X_C - 1));

    return ivec4(LOADC(x, b, y, x, c.x), LOADC(x, b, y, x, c.y), LOADC(x, b, y, x, c.z), LOADC(x, b, y, x, c.w));
}
#define INPUT(b, y, x, s) spread(b, y, x, s)
#endif

void run(int b, int h, int w, int s)
{
    ivec4 sum = exact_bias(s);
    int taps = KERNEL_H * KERNEL_W, filter_of = EXACT_HEAD + s * ((taps + 3) / 4);
    int y0 = h * STRIDE_H - PAD_H, x0 = w * STRIDE_W - PAD_W;

    for (int ky = 0; ky < KERNEL_H; ky++)
        for (int kx = 0; kx < KERNEL_W; kx++) {
            int y = y0 + ky * DILATION_H, x = x0 + kx * DILATION_W, tap = ky * KERNEL_W + kx;

            if (y >= 0 && y < X_H && x >= 0 && x < X_W) {
#if FILTER_VALUE
                ivec4 weights = filter_slice(s, ky, kx);
#else
                int bits = LOADI(w, filter_of + (tap >> 2))[tap & 3];
#if SIGNED_WEIGHTS
                ivec4 weights = (ivec4(bits << 24, bits << 16, bits << 8, bits) >> 24) - WEIGHT_ZERO;
#else
                ivec4 weights = (ivec4(bits, bits >> 8, bits >> 16, bits >> 24) & 255) - WEIGHT_ZERO;
#endif
#endif
                sum += (INPUT(b, y, x, s) - X_ZERO) * weights;
            }
        }
#if HYBRID
    STORE(y, b, h, w, s, exact_real(sum, exact_mult(s), exact_shift(s), LOAD(m, b, 0, 0, 0).x));
#else
    STORE(y, b, h, w, s, exact_requant(sum, exact_mult(s), exact_shift(s), s));
#endif
}
