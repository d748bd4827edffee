// SPDX-License-Identifier: Apache-2.0
// batch_matmul.comp - ROWS by four elements of the product of x and z, per batch; batches of one serve all.
// FIRST_S and so on: parts.h.

int xb, xh, zb, zh;

// Elements k to k + 3 of what row w of the product is made of.
vec4 left(int w, int k)
{
    w = min(w, Y_W - 1);
#ifdef ADJ_X
    vec4 v = vec4(0.0);

    for (int i = 0; i < 4 && k + i < DEPTH; i++)
        v[i] = LOADC(x, xb, xh, k + i, w);
    return v;
#else
    return LOAD(x, xb, xh, w, k >> 2);
#endif
}

// Elements k of columns 4 * s to 4 * s + 3.
vec4 right(int k, int s)
{
#ifdef ADJ_Z
    vec4 v = vec4(0.0);

    for (int i = 0; i < 4 && 4 * s + i < Y_C; i++)
        v[i] = LOADC(z, zb, zh, 4 * s + i, k);
    return v;
#else
    return k < DEPTH ? LOAD(z, zb, zh, k, s) : vec4(0.0);
#endif
}

void run(int b, int h, int block, int s)
{
    SUM4 sum[ROWS];

    xb = min(IMAGE, X_B - 1);
    xh = min(h, X_H - 1);
    zb = min(IMAGE, Z_B - 1);
    zh = min(h, Z_H - 1);
    for (int r = 0; r < ROWS; r++)
        sum[r] = AS_SUM(vec4(0.0));
    for (int k = 4 * FIRST_S; k < 4 * LAST_S; k += 4) {
        FACTOR4 z0 = FACTOR(right(k, s));
        FACTOR4 z1 = FACTOR(right(k + 1, s));
        FACTOR4 z2 = FACTOR(right(k + 2, s));
        FACTOR4 z3 = FACTOR(right(k + 3, s));

        for (int r = 0; r < ROWS; r++) {
            FACTOR4 v = FACTOR(left(block * ROWS + r, k));

            ADD_TO(sum[r], MUL(v.x, z0) + MUL(v.y, z1) + MUL(v.z, z2) + MUL(v.w, z3));
        }
    }
    for (int r = 0; r < ROWS; r++)
        if (block * ROWS + r < Y_W)
            STORE(y, b, h, block * ROWS + r, s, vec4(sum[r]));
}
