// SPDX-License-Identifier: Apache-2.0
// batch_matmul_reads.comp - the operands x and z of products of matrices, four rows or columns at a time; batches of one serve all.

// Of what is read anyhow: where lanes go both ways of a branch, that costs more.
#define BEFORE_END(k, v) mix(vec4(0.0), v, bvec4((k) < DEPTH))

int xb, xh, zb, zh;

// The matrices are those of batch b, number h of it.
void begin(int b, int h)
{
    xb = min(b, X_B - 1);
    xh = min(h, X_H - 1);
    zb = min(b, Z_B - 1);
    zh = min(h, Z_H - 1);
}

// Column r: elements k to k + 3 of what row 4 * block + r of the product is made of. Zeros behind the last.
mat4 left(int block, int k)
{
    mat4 v;

#ifdef ADJ_X
    for (int i = 0; i < 4; i++)
        v[i] = BEFORE_END(k + i, LOAD(x, xb, xh, min(k + i, DEPTH - 1), min(block, X_S - 1)));
    return transpose(v);
#else
    for (int r = 0; r < 4; r++)
        v[r] = LOAD(x, xb, xh, min(4 * block + r, Y_W - 1), k >> 2);
    return v;
#endif
}

// Column i: element k + i of columns 4 * s to 4 * s + 3, likewise.
mat4 right(int k, int s)
{
    mat4 v;

#ifdef ADJ_Z
    for (int i = 0; i < 4; i++)
        v[i] = LOAD(z, zb, zh, min(4 * s + i, Y_C - 1), k >> 2);
    return transpose(v);
#else
    for (int i = 0; i < 4; i++)
        v[i] = BEFORE_END(k + i, LOAD(z, zb, zh, min(k + i, DEPTH - 1), s));
    return v;
#endif
}
