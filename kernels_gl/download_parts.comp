// SPDX-License-Identifier: Apache-2.0
// download_parts.comp - to host order (dense NHWC), 32-bit elements: those of one value after those of another.
SCALAR element0(int i)
{
    int p = i / X0_C;

    return LOADC(x0, p / (X0_W * X0_H), p / X0_W % X0_H, p % X0_W, i % X0_C);
}

SCALAR element1(int i)
{
    int p = i / X1_C;

    return LOADC(x1, p / (X1_W * X1_H), p / X1_W % X1_H, p % X1_W, i % X1_C);
}

#if PARTS > 2
SCALAR element2(int i)
{
    int p = i / X2_C;

    return LOADC(x2, p / (X2_W * X2_H), p / X2_W % X2_H, p % X2_W, i % X2_C);
}
#endif

void run(int b, int h, int w, int s)
{
    int i = h * GRID_W + w;

    if (i >= WORDS)
        return;
    if (i < BEGIN1)
        HOST_STORE(y, i, element0(i));
#if PARTS > 2
    else if (i >= BEGIN2)
        HOST_STORE(y, i, element2(i - BEGIN2));
#endif
    else
        HOST_STORE(y, i, element1(i - BEGIN1));
}
