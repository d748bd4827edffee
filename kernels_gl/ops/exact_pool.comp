// SPDX-License-Identifier: Apache-2.0
// exact_pool.comp - the largest, the sum or the rounded mean of the integers that a window covers; what lies outside does not
// count. Where there is z, the window is of sums, and z says of how many elements together.
void run(int b, int h, int w, int s)
{
    int top = h * STRIDE_H - PAD_H, left = w * STRIDE_W - PAD_W;
    int h0 = max(top, 0), h1 = min(top + KERNEL_H, X_H);
    int w0 = max(left, 0), w1 = min(left + KERNEL_W, X_W);
    ivec4 v = ivec4(MAX == 1 ? -0x8000 : 0);

    for (int i = h0; i < h1; i++)
        for (int k = w0; k < w1; k++)
#if MAX
            v = max(v, LOAD(x, b, i, k, s));
#else
            v += LOAD(x, b, i, k, s);
#endif
#if MEAN
#if COUNTED
    int count = LOADB(z, b, h, w, s).x;
#else
    int count = (h1 - h0) * (w1 - w0);
#endif
    ivec4 sign = v >> 31;

    v = ((((v ^ sign) - sign) + count / 2) / count ^ sign) - sign;
#endif
    STORE(y, b, h, w, s, clamp(v, ivec4(LEAST), ivec4(MOST)));
}
