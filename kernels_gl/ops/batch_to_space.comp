// SPDX-License-Identifier: Apache-2.0
// batch_to_space.comp - input batch k * Y_B + b holds the k-th pixel of every block of output b.

void run(int b, int h, int w, int s)
{
    int i = h + BEFORE_H;
    int j = w + BEFORE_W;
    int pixel = i % BLOCK_H * BLOCK_W + j % BLOCK_W;

    STORE(y, b, h, w, s, LOAD(x, pixel * Y_B + b, i / BLOCK_H, j / BLOCK_W, s));
}
