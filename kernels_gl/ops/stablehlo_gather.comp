// SPDX-License-Identifier: Apache-2.0
// stablehlo_gather.comp - elements at places that index vectors name. Elements are counted densely. A vector of t for each of AXES
// axes of y, the innermost first: its extent, and how far a step along it leads in x and among the indices. Behind these one for
// each of STARTS numbers of an index vector: where it is, how far its step leads in x, and the last place that a slice may have.

int number(int i)
{
    int p = i / AT_C;

    return LOADC(at, p / (AT_W * AT_H), p / AT_W % AT_H, p % AT_W, i - p * AT_C);
}

int source(int o)
{
    int q = 0, first = 0;

    for (int i = 0; i < AXES; i++) {
        ivec4 axis = LOADI(t, i);
        int k = o % axis.x;

        q += k * axis.y;
        first += k * axis.z;
        o /= axis.x;
    }
    for (int i = 0; i < STARTS; i++) {
        ivec4 start = LOADI(t, AXES + i);

        q += clamp(number(first + start.x), 0, start.z) * start.y;
    }
    return q;
}

void run(int b, int h, int w, int s)
{
    int pixel = (b * Y_H + h) * Y_W + w;
    VEC v;

    for (int lane = 0; lane < 4; lane++) {
        int i = source(pixel * Y_C + min(4 * s + lane, Y_C - 1)), p = i / X_C;

        v[lane] = LOADC(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, i - p * X_C);
    }
    STORE(y, b, h, w, s, v);
}
