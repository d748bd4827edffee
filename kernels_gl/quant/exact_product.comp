// SPDX-License-Identifier: Apache-2.0
// exact_product.comp - the products of a block of the input, as reduce.comp has blocks, factor by factor in the CPU's order:
// kernels_cpu/ops/reduce_quant.c. After exact_wide.comp.

// (high * 2^32 + low) * MULT / 2^SHIFT, of which 64 bits count.
ivec4 scaled(ivec4 high, ivec4 low)
{
    uvec4 product_high, product_low;

    umulExtended(uvec4(low), uvec4(MULT), product_high, product_low);
    return int64_shift_right(ivec4(product_high) + high * MULT, product_low, ivec4(SHIFT));
}

ivec4 times(ivec4 a, ivec4 b)
{
    ivec4 high, low;

    imulExtended(a, b, high, low);
    return scaled(high, low);
}

void run(int b, int h, int w, int s)
{
    ivec3 from = ivec3(b, h, w) * ivec3(BLOCK_B, BLOCK_H, BLOCK_W);
    ivec3 to = min(from + ivec3(BLOCK_B, BLOCK_H, BLOCK_W), ivec3(X_B, X_H, X_W));
    ivec4 total = ivec4(0);
    bool begun = false;

    for (int i = from.x; i < to.x; i++)
        for (int j = from.y; j < to.y; j++)
            for (int k = from.z; k < to.z; k++) {
#ifdef OVER_C
                for (int t = 0; t < X_S; t++) {
                    ivec4 v = LOAD(x, i, j, k, t) - X_ZERO;

                    for (int lane = 0; lane < 4 && 4 * t + lane < X_C; lane++) {
                        total = begun ? times(total, ivec4(v[lane])) : ivec4(v[lane]);
                        begun = true;
                    }
                }
#else
                ivec4 v = LOAD(x, i, j, k, s) - X_ZERO;

                total = begun ? times(total, v) : v;
                begun = true;
#endif
            }
    // Not times(total, 1): Mesa 22 gives wrong high words where it folds imulExtended of constants.
    STORE(y, b, h, w, s, clamp(scaled(total >> 31, total) + Y_ZERO, ivec4(LEAST), ivec4(MOST)));
}
