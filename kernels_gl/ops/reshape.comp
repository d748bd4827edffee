// SPDX-License-Identifier: Apache-2.0
// reshape.comp - another shape of the same elements in the same dense order.
#if VECTORS
// Both shapes have the same number of channels, or whole slices: slices keep together.
void run(int b, int h, int w, int s)
{
    int i = ((b * Y_H + h) * Y_W + w) * Y_S + s;
    int p = i / X_S;

    STORE(y, b, h, w, s, LOAD(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, i % X_S));
}
#else
ELEMENT element(int i)
{
    int p = i / X_C;

#if SINGLE // which may be any lane
    return LOADB(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, 0).x;
#else
    return LOADC(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, i % X_C);
#endif
}

void run(int b, int h, int w, int s)
{
    int i = ((b * Y_H + h) * Y_W + w) * Y_C + 4 * s;
    int last = ((b * Y_H + h) * Y_W + w) * Y_C + Y_C - 1;

    STORE(y, b, h, w, s,
          VEC4(element(i), element(min(i + 1, last)), element(min(i + 2, last)), element(min(i + 3, last))));
}
#endif
