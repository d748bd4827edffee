// SPDX-License-Identifier: Apache-2.0
// pool.comp - the largest or the mean of what a window covers; what lies outside the input does not count. A NaN is never the
// largest. `index` gets where in the window the largest lies, row * KERNEL_W + column, plus 0.1, as the
// CPU kernel and MediaPipe have it: what a driver rounds down a little still truncates to the index.

void run(int b, int h, int w, int s)
{
    int top = h * STRIDE_H - PAD_H;
    int left = w * STRIDE_W - PAD_W;
    int h0 = max(top, 0);
    int w0 = max(left, 0);
    int h1 = min(top + KERNEL_H, X_H);
    int w1 = min(left + KERNEL_W, X_W);
    PRECISE vec4 v = vec4(MAX == 1 ? uintBitsToFloat(0xff7fffffu) : 0.0);
    vec4 tap = vec4(0.0);

    for (int i = h0; i < h1; i++)
        for (int k = w0; k < w1; k++) {
            vec4 t = LOAD(x, b, i, k, s);

#if MAX
            bvec4 larger = greaterThan(t, v);

            v = mix(v, t, larger);
            tap = mix(tap, vec4((i - top) * KERNEL_W + k - left), larger);
#else
            v += t;
#endif
        }
#if !MAX
    v /= float((h1 - h0) * (w1 - w0));
#endif
    STORE(y, b, h, w, s, v);
#ifdef ARGMAX
    STORE(index, b, h, w, s, tap + 0.1);
#endif
}
