// SPDX-License-Identifier: Apache-2.0
// pool.comp - the largest or the mean of what a window covers; what lies outside the input does not count. A NaN is never the
// largest. `index` gets where in the window the largest lies, row * KERNEL_W + column, plus 0.1, as the
// CPU kernel and MediaPipe have it: what a driver rounds down a little still truncates to the index.

//
// PARTIAL: of each window PARTS_H x PARTS_W blocks beside each other, sums instead of means. WHOLE: x has such blocks, and how many
// elements a mean is made of follows from the windows that they are blocks of.

void run(int b, int h, int w, int s)
{
#if PARTIAL
    int top = h / PARTS_H * STRIDE_H - PAD_H, above = h % PARTS_H * BLOCK_H;
    int left = w / PARTS_W * STRIDE_W - PAD_W, before = w % PARTS_W * BLOCK_W;
    int h0 = max(top + above, 0);
    int w0 = max(left + before, 0);
    int h1 = min(top + min(above + BLOCK_H, KERNEL_H), X_H);
    int w1 = min(left + min(before + BLOCK_W, KERNEL_W), X_W);
#else
    int top = h * STRIDE_H - PAD_H;
    int left = w * STRIDE_W - PAD_W;
    int h0 = max(top, 0);
    int w0 = max(left, 0);
    int h1 = min(top + KERNEL_H, X_H);
    int w1 = min(left + KERNEL_W, X_W);
#endif
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
#if !MAX && !PARTIAL
#ifdef WHOLE
    h0 = h * WHOLE_STRIDE_H - WHOLE_PAD_H;
    w0 = w * WHOLE_STRIDE_W - WHOLE_PAD_W;
    h1 = min(h0 + WHOLE_H, FROM_H);
    w1 = min(w0 + WHOLE_W, FROM_W);
    h0 = max(h0, 0);
    w0 = max(w0, 0);
#endif
    v /= float((h1 - h0) * (w1 - w0));
#endif
    STORE(y, b, h, w, s, v);
#ifdef ARGMAX
    STORE(index, b, h, w, s, tap + 0.1);
#endif
}
