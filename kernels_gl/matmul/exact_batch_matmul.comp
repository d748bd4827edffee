// SPDX-License-Identifier: Apache-2.0
// exact_batch_matmul.comp - four rows of four elements of the product of integers x and z, per batch; batches of one serve all.

int xb, xh, zb, zh;

void exchange(inout ivec4 v[4])
{
    ivec4 from[4] = v;

    for (int i = 0; i < 4; i++)
        v[i] = ivec4(from[0][i], from[1][i], from[2][i], from[3][i]);
}

// v[r]: elements k to k + 3 of what row 4 * block + r of the product is made of.
void left(int block, int k, out ivec4 v[4])
{
    for (int i = 0; i < 4; i++)
#if ADJ_X
        v[i] = LOAD(x, xb, xh, min(k + i, DEPTH - 1), block) - X_ZERO;
    exchange(v);
#else
        v[i] = LOAD(x, xb, xh, min(4 * block + i, Y_W - 1), k >> 2) - X_ZERO;
#endif
}

// v[i]: element k + i of columns 4 * s to 4 * s + 3; zeros behind the last.
void right(int k, int s, out ivec4 v[4])
{
    for (int i = 0; i < 4; i++)
#if ADJ_Z
        v[i] = LOAD(z, zb, zh, min(4 * s + i, Y_C - 1), k >> 2) - Z_ZERO;
    exchange(v);
#else
        v[i] = LOAD(z, zb, zh, min(k + i, DEPTH - 1), s) - Z_ZERO;
#endif
    for (int i = 1; i < 4; i++)
        v[i] = k + i < DEPTH ? v[i] : ivec4(0);
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
#define FINISH(r) exact_real(sum[r], exact_mult(s), exact_shift(s), LOAD(m, xb, xh, 4 * block + r, 0).x)
#else
#define FINISH(r) exact_requant(sum[r], exact_mult(s), exact_shift(s), s)
#endif

void run(int b, int h, int block, int s)
{
#if WIDE
    ivec4 high[4];
    uvec4 low[4];
#else
    ivec4 sum[4];
#endif

    xb = min(b, X_B - 1);
    xh = min(h, X_H - 1);
    zb = min(b, Z_B - 1);
    zh = min(h, Z_H - 1);
    for (int r = 0; r < 4; r++) {
#if WIDE
        high[r] = ivec4(0);
        low[r] = uvec4(0u);
#else
        sum[r] = ivec4(0);
#endif
    }
    for (int k = 0; k < DEPTH; k += 4) {
        ivec4 u[4], v[4];

        left(block, k, u);
        right(k, s, v);
        for (int r = 0; r < 4; r++) {
#if WIDE
            add(high[r], low[r], u[r].x * v[0]);
            add(high[r], low[r], u[r].y * v[1]);
            add(high[r], low[r], u[r].z * v[2]);
            add(high[r], low[r], u[r].w * v[3]);
#else
            sum[r] += u[r].x * v[0] + u[r].y * v[1] + u[r].z * v[2] + u[r].w * v[3];
#endif
        }
    }
    for (int r = 0; r < 4; r++)
        if (4 * block + r < Y_W)
            STORE(y, b, h, 4 * block + r, s, FINISH(r));
}
