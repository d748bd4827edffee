// SPDX-License-Identifier: Apache-2.0
// stablehlo_scatter.comp - each element of x takes the updates that go to it, in the order of their index vectors. Elements are
// counted densely. EACH_AXIS: of each axis of x, the innermost first, its extent, that of the windows, how far a step leads among
// the updates, and which number of an index vector counts along it, or -1. EACH_BATCH: of each axis that index vectors have, its
// extent, and how far a step leads among the updates and among the indices.

int number(int i)
{
    int p = i / AT_C;

    return LOADC(at, p / (AT_W * AT_H), p / AT_W % AT_H, p % AT_W, i - p * AT_C);
}

SCALAR update(int i)
{
    int p = i / UPDATES_C;

    return LOADC(updates, p / (UPDATES_W * UPDATES_H), p / UPDATES_W % UPDATES_H, p % UPDATES_W, i - p * UPDATES_C);
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

    for (int lane = 0; lane < 4; lane++) {
        int o = pixel * Y_C + min(4 * s + lane, Y_C - 1);
        PRECISE SCALAR a = v[lane]; // or a compiler makes max() of a comparison and a choice

        for (int pick = 0; pick < PICKS; pick++) {
            int u = source(o, pick);

            if (u >= 0) {
                SCALAR e = update(u);

                a = COMBINE(a, e);
            }
        }
        v[lane] = a;
    }
    STORE(y, b, h, w, s, v);
}
