// SPDX-License-Identifier: Apache-2.0
// exact_batch_matmul.comp - ROWS by four elements of the product of integers x and z, per batch; batches of one serve all.

int xb, xh, zb, zh;

// Elements k to k + 3 of what row w of the product is made of.
ivec4 left(int w, int k)
{
    w = min(w, Y_W - 1);
#if ADJ_X
    ivec4 v = ivec4(0);

    for (int i = 0; i < 4 && k + i < DEPTH; i++)
        v[i] = LOADC(x, xb, xh, k + i, w);
    return v - X_ZERO;
#else
    return LOAD(x, xb, xh, w, k >> 2) - X_ZERO;
#endif
}

// Elements k of columns 4 * s to 4 * s + 3; zeros behind the last k.
ivec4 right(int k, int s)
{
    if (k >= DEPTH)
        return ivec4(0);
#if ADJ_Z
    ivec4 v = ivec4(0);

    for (int i = 0; i < 4 && 4 * s + i < Y_C; i++)
        v[i] = LOADC(z, zb, zh, 4 * s + i, k);
    return v - Z_ZERO;
#else
    return LOAD(z, zb, zh, k, s) - Z_ZERO;
#endif
}

void run(int b, int h, int block, int s)
{
    ivec4 sum[ROWS];

    xb = min(b, X_B - 1);
    xh = min(h, X_H - 1);
    zb = min(b, Z_B - 1);
    zh = min(h, Z_H - 1);
    for (int r = 0; r < ROWS; r++)
        sum[r] = ivec4(0);
    for (int k = 0; k < DEPTH; k += 4) {
        ivec4 z0 = right(k, s), z1 = right(k + 1, s), z2 = right(k + 2, s), z3 = right(k + 3, s);

        for (int r = 0; r < ROWS; r++) {
            ivec4 v = left(block * ROWS + r, k);

            sum[r] += v.x * z0 + v.y * z1 + v.z * z2 + v.w * z3;
        }
    }
    for (int r = 0; r < ROWS; r++)
        if (block * ROWS + r < Y_W)
#if SUMS
            STORE(y, b, h, block * ROWS + r, s, sum[r]);
#else
            STORE(y, b, h, block * ROWS + r, s, exact_requant(sum[r], exact_mult(s), exact_shift(s), s));
#endif
}
