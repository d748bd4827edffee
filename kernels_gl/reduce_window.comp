// SPDX-License-Identifier: Apache-2.0
// reduce_window.comp - each element of y is made of all that a window of TAPS elements sees there. Elements are counted densely.
// Two vectors of `axes` for each of AXES axes, the innermost first: extent of y, extent of the window, its stride and dilation;
// extent of x, distance of its elements, padding before them, and how far apart they are in memory.

int source(int o, int tap) // element of x, or -1 where the initial value is
{
    bool inside = true;
    int q = 0;

    for (int i = 0; i < AXES; i++) {
        ivec4 window = LOADI(axes, 2 * i), seen = LOADI(axes, 2 * i + 1);
        int at = o % window.x * window.z + tap % window.y * window.w - seen.z, k = at / seen.y;

        inside = inside && at >= 0 && at == k * seen.y && k < seen.x;
        q += k * seen.w;
        o /= window.x;
        tap /= window.y;
    }
    return inside ? q : -1;
}

void run(int b, int h, int w, int s)
{
    int pixel = (b * Y_H + h) * Y_W + w;
    SCALAR first = LOADC(init, 0, 0, 0, 0);
    VEC v;

    for (int lane = 0; lane < 4; lane++) {
        int o = pixel * Y_C + min(4 * s + lane, Y_C - 1);
        PRECISE SCALAR a = first; // or a compiler makes max() of a comparison and a choice

        for (int tap = 0; tap < TAPS; tap++) {
            int i = source(o, tap), p = max(i, 0) / X_C;
            SCALAR e = i < 0 ? first : LOADC(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, max(i, 0) - p * X_C);

            a = COMBINE(a, e);
        }
        v[lane] = a;
    }
    STORE(y, b, h, w, s, v);
}
