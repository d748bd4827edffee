// SPDX-License-Identifier: Apache-2.0
// unpool.comp - the value of the last window that covers this pixel and had its maximum here. IN_IMAGE: indices count the elements
// of an image of the output; else the taps of a window.

void run(int b, int h, int w, int s)
{
    int bottom = h + PAD_H;
    int right = w + PAD_W;
    int h0 = bottom < KERNEL_H ? 0 : (bottom - KERNEL_H) / STRIDE_H + 1;
    int w0 = right < KERNEL_W ? 0 : (right - KERNEL_W) / STRIDE_W + 1;
    int h1 = min(bottom / STRIDE_H, X_H - 1);
    int w1 = min(right / STRIDE_W, X_W - 1);
    vec4 v = vec4(0.0);
#if IN_IMAGE
    ivec4 here = (h * Y_W + w) * Y_C + 4 * s + ivec4(0, 1, 2, 3);
#endif

    for (int i = h0; i <= h1; i++)
        for (int k = w0; k <= w1; k++) {
#if IN_IMAGE
            v = mix(v, LOAD(x, b, i, k, s), equal(LOAD(index, b, i, k, s), here));
#else
            int tap = (bottom - i * STRIDE_H) * KERNEL_W + right - k * STRIDE_W;

            v = mix(v, LOAD(x, b, i, k, s), equal(floor(LOAD(index, b, i, k, s)), vec4(tap)));
#endif
        }
    STORE(y, b, h, w, s, v);
}
