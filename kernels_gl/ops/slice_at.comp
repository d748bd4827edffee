// SPDX-License-Identifier: Apache-2.0
// slice_at.comp - a part of x whose place is computed at run time. Elements, or where the last axis is whole its vectors, are
// counted densely. EACH_AXIS: of each axis of x, the innermost first, how many are taken, how far one after the other in memory;
// how far elements of the axis are; which of the numbers in `begin` says where it begins, or -1, what a negative one counts from,
// and between which places it is kept.

#define AXIS(count, distance, step, entry, negative, low, high)                                                                    \
    at = (entry) < 0 ? (low) : LOADC(begin, 0, 0, 0, max(entry, 0));                                                               \
    at = clamp(at < 0 ? at + (negative) : at, low, high);                                                                          \
    q += at * (step) + o % (count) * (distance), o /= (count);

int source(int o)
{
    int q = 0, at;

    EACH_AXIS(AXIS)
    return q;
}

void run(int b, int h, int w, int s)
{
    int pixel = (b * Y_H + h) * Y_W + w;
#if WHOLE
    int p = source(pixel);
    VEC v = LOAD(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, s);
#else
    VEC v = VEC(0);

    for (int lane = 0; lane < 4; lane++) {
        int i = source(pixel * Y_C + min(4 * s + lane, Y_C - 1)), p = i / X_C;

        v[lane] = LOADC(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, i - p * X_C);
    }
#endif
    STORE(y, b, h, w, s, v);
}
