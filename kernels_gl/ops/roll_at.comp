// SPDX-License-Identifier: Apache-2.0
// roll_at.comp - x with its elements elsewhere along axes that are named at run time, by NAMED numbers. MOVES: they move on by as
// many as "shifts" says, and come in at the other end; else they are in reverse order. EACH_AXIS: of each axis, the innermost
// first, its number and extent.

int place(int axis, int extent, int i)
{
    for (int k = 0; k < NAMED; k++) {
        int named = LOADC(axes, 0, 0, 0, k);

        if (named != axis && named != axis - RANK)
            continue;
#if MOVES
        int by = LOADC(shifts, 0, 0, 0, k), rest = int((by < 0 ? uint(~by) + 1u : uint(by)) % uint(extent));

        i = (i + (by < 0 ? rest : extent - rest)) % extent;
#else
        return extent - 1 - i;
#endif
    }
    return i;
}

#define AXIS(axis, extent) q += place(axis, extent, o % (extent)) * step, o /= (extent), step *= (extent);

int source(int o)
{
    int q = 0, step = 1;

    EACH_AXIS(AXIS)
    return q;
}

void run(int b, int h, int w, int s)
{
    int pixel = (b * Y_H + h) * Y_W + w;
    VEC v = VEC(0);

    for (int lane = 0; lane < 4; lane++) {
        int i = source(pixel * Y_C + min(4 * s + lane, Y_C - 1)), p = i / X_C;

        v[lane] = LOADC(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, i - p * X_C);
    }
    STORE(y, b, h, w, s, v);
}
