// SPDX-License-Identifier: Apache-2.0
// depth_to_space.comp - each pixel of the input is a block of the output, its channels the block's pixels in turn. The first
// BEFORE_H rows and BEFORE_W columns of the blocks are left out. BY_FLOATS: a quotient of floats finds the block.

#if BY_FLOATS
int block_of(int i, int size)
{
    return int((float(i) + 0.5) / float(size));
}
#else
#define block_of(i, size) ((i) / (size))
#endif

void run(int b, int h, int w, int s)
{
    int row = h + BEFORE_H, column = w + BEFORE_W;
    int i = block_of(row, BLOCK_H), j = block_of(column, BLOCK_W);
    int pixel = (row - i * BLOCK_H) * BLOCK_W + column - j * BLOCK_W;

#ifdef SLICES
    VEC v = LOAD(x, b, i, j, pixel * Y_S + s);
#else
    VEC v;

    for (int k = 0; k < 4; k++)
        v[k] = LOADC(x, b, i, j, pixel * Y_C + min(4 * s + k, Y_C - 1));
#endif
    STORE(y, b, h, w, s, v);
}
