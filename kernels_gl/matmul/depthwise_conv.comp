// SPDX-License-Identifier: Apache-2.0
// depthwise_conv.comp - one vec4 of output per invocation, MULTIPLIER output channels per input channel.
// Weights: Y_S biases, then for each slice, filter row and column one vec4. FIRST_H and so on: split_k.h.
#if MULTIPLIER == 1
#define INPUT(b, y, x, s) LOAD(x, b, y, x, s)
#else
vec4 spread(int b, int y, int x, int s)
{
    ivec4 c = min((4 * s + ivec4(0, 1, 2, 3)) / MULTIPLIER, ivec4(X_C - 1));

    return vec4(LOADC(x, b, y, x, c.x), LOADC(x, b, y, x, c.y), LOADC(x, b, y, x, c.z), LOADC(x, b, y, x, c.w));
}
#define INPUT(b, y, x, s) spread(b, y, x, s)
#endif

void run(int b, int h, int w, int s)
{
    SUM4 sum = AS_SUM(START(s));
    vec4 unit = UNIT(s), shift = SHIFT(s);
    int y0 = h * STRIDE_H - PAD_H, x0 = w * STRIDE_W - PAD_W;

    for (int ky = FIRST_H; ky < LAST_H; ky++) {
        int y = y0 + ky * DILATION_H;
        int i = BIASES + (s * KERNEL_H + ky) * KERNEL_W + FIRST_W;

        for (int kx = FIRST_W; kx < LAST_W; kx++, i++) {
            int x = x0 + kx * DILATION_W;

            if (y >= 0 && y < X_H && x >= 0 && x < X_W)
                ADD_TO(sum, MUL(FACTOR(COUNTS(INPUT(IMAGE, y, x, s))), FACTOR(WEIGHT(i))));
        }
    }
    STORE(y, b, h, w, s, RESULT(sum, unit, shift));
}
