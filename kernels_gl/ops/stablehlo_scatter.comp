// SPDX-License-Identifier: Apache-2.0
// stablehlo_scatter.comp - each element of x takes the updates that go to it, in the order of their index vectors, those from FIRST
// to END - 1. Elements are counted densely. EACH_AXIS: of each axis of x, the innermost first, its extent, that of the windows, how
// far a step leads among the updates, and which number of an index vector counts along it, or -1. EACH_BATCH: of each axis that
// index vectors have, its extent, and how far a step leads among the updates and among the indices. TWO_WORDS: elements are of 64
// bits (int64_value.h). After int64_value.comp then.

int number(int i)
{
    int p = i / AT_C;

    return LOADC(at, p / (AT_W * AT_H), p / AT_W % AT_H, p % AT_W, i - p * AT_C);
}

SCALAR update(int i, int more)
{
    int p = i / UPDATES_C;

    return LOADC(updates, p / (UPDATES_W * UPDATES_H) + more, p / UPDATES_W % UPDATES_H, p % UPDATES_W, i - p * UPDATES_C);
}

#define BATCH(extent, in_updates, in_at, none)                                                                                     \
    u += pick % (extent) * (in_updates), first += pick % (extent) * (in_at), pick /= (extent);
#define AXIS(extent, window, in_updates, place)                                                                                    \
    k = o % (extent) - ((place) < 0 ? 0 : number(first + max(place, 0)));                                                          \
    inside = inside && k >= 0 && k < (window);                                                                                     \
    u += k * (in_updates), o /= (extent);

int source(int o, int pick) // the update that this vector brings to element o, or -1
{
    bool inside = true;
    int u = 0, first = 0, k;

    EACH_BATCH(BATCH)
    EACH_AXIS(AXIS)
    return inside ? u : -1;
}

void run(int b, int h, int w, int s)
{
    int pixel = (b * Y_H + h) * Y_W + w;
    VEC v = LOAD(x, b, h, w, s);
#if TWO_WORDS
    VEC high = LOAD(x, b + X_B / 2, h, w, s);
#endif

    for (int lane = 0; lane < 4; lane++) {
        int o = pixel * Y_C + min(4 * s + lane, Y_C - 1);
#if TWO_WORDS
        WIDE a = WIDE(ivec4(v[lane]), ivec4(high[lane]));
#else
        PRECISE SCALAR a = v[lane]; // or a compiler makes max() of a comparison and a choice
#endif

        for (int pick = FIRST; pick < END; pick++) {
            int u = source(o, pick);

            if (u >= 0) {
#if TWO_WORDS
                WIDE e = WIDE(ivec4(update(u, 0)), ivec4(update(u, UPDATES_B / 2)));
#else
                SCALAR e = update(u, 0);
#endif

                a = COMBINE(a, e);
            }
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
