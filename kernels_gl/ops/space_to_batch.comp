// SPDX-License-Identifier: Apache-2.0
// space_to_batch.comp - batch k * X_B + b holds the k-th pixel of every block of input b.

void run(int b, int h, int w, int s)
{
    int pixel = b / X_B;
    int i = h * BLOCK_H + pixel / BLOCK_W - BEFORE_H;
    int j = w * BLOCK_W + pixel % BLOCK_W - BEFORE_W;

#if PADS
    bool inside = i >= 0 && i < X_H && j >= 0 && j < X_W;

    STORE(y, b, h, w, s, inside ? LOAD(x, b % X_B, i, j, s) : VEC(BORDER));
#else
    STORE(y, b, h, w, s, LOADZ(x, b % X_B, i, j, s));
#endif
}
