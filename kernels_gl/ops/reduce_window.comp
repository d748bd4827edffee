// SPDX-License-Identifier: Apache-2.0
// reduce_window.comp - each element of y is made of what a window sees there, of its elements FIRST to END - 1. Elements are
// counted densely. EACH_AXIS: of each axis, the innermost first, extent of y, extent of the window, its stride and dilation; extent
// of x, distance of its elements, padding before them, and how far apart they are in memory. CONTINUED: after what `before` has of
// the elements before FIRST. TWO_WORDS: elements are of 64 bits (int64_value.h). After int64_value.comp then.

#define AXIS(extent, size, stride, dilation, length, distance, padding, step)                                                      \
    at = o % (extent) * (stride) + tap % (size) * (dilation) - (padding), k = at / (distance);                                     \
    inside = inside && at >= 0 && at == k * (distance) && k < (length);                                                            \
    q += k * (step), o /= (extent), tap /= (size);

int source(int o, int tap) // element of x, or -1 where the initial value is
{
    bool inside = true;
    int q = 0, at, k;

    EACH_AXIS(AXIS)
    return inside ? q : -1;
}

void run(int b, int h, int w, int s)
{
    int pixel = (b * Y_H + h) * Y_W + w;
#if TWO_WORDS
    WIDE first = WIDE(ivec4(LOADC(init, 0, 0, 0, 0)), ivec4(LOADC(init, 1, 0, 0, 0)));
#ifdef CONTINUED
    ivec4 v = LOAD(before, b, h, w, s), high = LOAD(before, b + Y_B / 2, h, w, s);
#else
    ivec4 v = first.low, high = first.high;
#endif
#else
    SCALAR first = LOADC(init, 0, 0, 0, 0);
#ifdef CONTINUED
    VEC v = LOAD(before, b, h, w, s);
#else
    VEC v = VEC(first);
#endif
#endif

    for (int lane = 0; lane < 4; lane++) {
        int o = pixel * Y_C + min(4 * s + lane, Y_C - 1);
#if TWO_WORDS
        WIDE a = WIDE(ivec4(v[lane]), ivec4(high[lane]));
#else
        PRECISE SCALAR a = v[lane]; // or a compiler makes max() of a comparison and a choice
#endif

        for (int tap = FIRST; tap < END; tap++) {
            int i = source(o, tap), p = max(i, 0) / X_C, c = max(i, 0) - p * X_C;
#if TWO_WORDS
            WIDE e = first;

            if (i >= 0) {
                e.low = ivec4(LOADC(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, c));
                e.high = ivec4(LOADC(x, p / (X_W * X_H) + X_B / 2, p / X_W % X_H, p % X_W, c));
            }
#else
            SCALAR e = i < 0 ? first : LOADC(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, c);
#endif

            a = COMBINE(a, e);
        }
#if TWO_WORDS
        v[lane] = a.low.x;
        high[lane] = a.high.x;
#else
        v[lane] = a;
#endif
    }
    STORE(y, b, h, w, s, v);
#if TWO_WORDS
    STORE(y, b + Y_B / 2, h, w, s, high);
#endif
}
