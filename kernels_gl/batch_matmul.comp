// SPDX-License-Identifier: Apache-2.0
// batch_matmul.comp - four rows of four elements of the product of x and z, per batch; batches of one serve all.
// FIRST_S and so on: parts.h.

// Of what is read anyhow: where lanes go both ways of a branch, that costs more.
#define BEFORE_END(k, v) mix(vec4(0.0), v, bvec4((k) < DEPTH))

int xb, xh, zb, zh;

// Column r: elements k to k + 3 of what row 4 * block + r of the product is made of. Zeros behind the last.
mat4 left(int block, int k)
{
    mat4 v;

#ifdef ADJ_X
    for (int i = 0; i < 4; i++)
        v[i] = BEFORE_END(k + i, LOAD(x, xb, xh, min(k + i, DEPTH - 1), block));
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

void run(int b, int h, int block, int s)
{
    SUM4 sum[4];

    xb = min(IMAGE, X_B - 1);
    xh = min(h, X_H - 1);
    zb = min(IMAGE, Z_B - 1);
    zh = min(h, Z_H - 1);
    for (int r = 0; r < 4; r++)
        sum[r] = AS_SUM(vec4(0.0));
    for (int k = 4 * FIRST_S; k < 4 * LAST_S; k += 4) {
        mat4 xs = left(block, k), zs = right(k, s);
        FACTOR4 z0 = FACTOR(zs[0]);
        FACTOR4 z1 = FACTOR(zs[1]);
        FACTOR4 z2 = FACTOR(zs[2]);
        FACTOR4 z3 = FACTOR(zs[3]);

        for (int r = 0; r < 4; r++) {
            FACTOR4 v = FACTOR(xs[r]);

            ADD_TO(sum[r], MUL(v.x, z0) + MUL(v.y, z1) + MUL(v.z, z2) + MUL(v.w, z3));
        }
    }
    for (int r = 0; r < 4; r++)
        if (4 * block + r < Y_W)
            STORE(y, b, h, 4 * block + r, s, vec4(sum[r]));
}
