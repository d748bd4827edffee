// SPDX-License-Identifier: Apache-2.0
// exact_inv_sqrt.comp - fixed_point.c of the CPU; after exact_reciprocal.comp.

// 1 / sqrt(x), as a multiplier and a shift.
ivec2 inv_sqrt(int x)
{
    int shift = 11, y = 1 << 28;

    if (x <= 1)
        return ivec2(0x7fffffff, 0);
    if (x >= 1 << 29) {
        x /= 4;
        shift++;
    }
    int pairs = (30 - findMSB(x)) / 2 - 1;

    shift -= pairs;
    x <<= 2 * pairs;
    int half_x = fixed_shift_right(ivec4(x >> 1), ivec4(1)).x;

    for (int i = 0; i < 5; i++) {
        int cube = shift_left(mul_high(mul_high(y, y), y), 6);

        y = shift_left(mul_high(3 << 27, y) - mul_high(half_x, cube), 3);
    }
    y = mul_high(y, 1518500250);
    return shift < 0 ? ivec2(y << -shift, 0) : ivec2(y, -shift);
}
