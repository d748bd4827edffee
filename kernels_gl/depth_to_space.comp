// SPDX-License-Identifier: Apache-2.0
// depth_to_space.comp - each pixel of the input is a block of the output, its channels the block's pixels in turn.

void run(int b, int h, int w, int s)
{
    int pixel = h % BLOCK_H * BLOCK_W + w % BLOCK_W;

#ifdef SLICES
    VEC v = LOAD(x, b, h / BLOCK_H, w / BLOCK_W, pixel * Y_S + s);
#else
    VEC v;

    for (int k = 0; k < 4; k++)
        v[k] = LOADC(x, b, h / BLOCK_H, w / BLOCK_W, pixel * Y_C + min(4 * s + k, Y_C - 1));
#endif
    STORE(y, b, h, w, s, v);
}
