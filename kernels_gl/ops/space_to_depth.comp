// SPDX-License-Identifier: Apache-2.0
// space_to_depth.comp - each block of the input is a pixel of the output, the block's pixels its channels in turn.

void run(int b, int h, int w, int s)
{
#ifdef SLICES
    int pixel = s / X_S;
    VEC v = LOAD(x, b, h * BLOCK_H + pixel / BLOCK_W, w * BLOCK_W + pixel % BLOCK_W, s % X_S);
#else
    VEC v;

    for (int k = 0; k < 4; k++) {
        int c = min(4 * s + k, Y_C - 1);
        int pixel = c / X_C;

        v[k] = LOADC(x, b, h * BLOCK_H + pixel / BLOCK_W, w * BLOCK_W + pixel % BLOCK_W, c % X_C);
    }
#endif
    STORE(y, b, h, w, s, v);
}
