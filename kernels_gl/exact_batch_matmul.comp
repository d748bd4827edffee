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

#if WIDE
// 64 bits: each product is below 2^31.
void add(inout ivec4 high, inout uvec4 low, ivec4 product)
{
    uvec4 carry;

    low = uaddCarry(low, uvec4(product), carry);
    high += (product >> 31) + ivec4(carry);
}
#endif

#if SUMS
#define FINISH(r) sum[r]
#elif WIDE
#define FINISH(r) exact_requant_wide(high[r], low[r], exact_mult(s), exact_shift(s))
#elif HYBRID_ROWS
#define FINISH(r) exact_real(sum[r], exact_mult(s), exact_shift(s), LOAD(m, xb, xh, block * ROWS + r, 0).x)
#else
#define FINISH(r) exact_requant(sum[r], exact_mult(s), exact_shift(s), s)
#endif

void run(int b, int h, int block, int s)
{
#if WIDE
    ivec4 high[ROWS];
    uvec4 low[ROWS];
#else
    ivec4 sum[ROWS];
#endif

    xb = min(b, X_B - 1);
    xh = min(h, X_H - 1);
    zb = min(b, Z_B - 1);
    zh = min(h, Z_H - 1);
    for (int r = 0; r < ROWS; r++) {
#if WIDE
        high[r] = ivec4(0);
        low[r] = uvec4(0u);
#else
        sum[r] = ivec4(0);
#endif
    }
    for (int k = 0; k < DEPTH; k += 4) {
        ivec4 z0 = right(k, s), z1 = right(k + 1, s), z2 = right(k + 2, s), z3 = right(k + 3, s);

        for (int r = 0; r < ROWS; r++) {
            ivec4 v = left(block * ROWS + r, k);

#if WIDE
            add(high[r], low[r], v.x * z0);
            add(high[r], low[r], v.y * z1);
            add(high[r], low[r], v.z * z2);
            add(high[r], low[r], v.w * z3);
#else
            sum[r] += v.x * z0 + v.y * z1 + v.z * z2 + v.w * z3;
#endif
        }
    }
    for (int r = 0; r < ROWS; r++)
        if (block * ROWS + r < Y_W)
            STORE(y, b, h, block * ROWS + r, s, FINISH(r));
}
