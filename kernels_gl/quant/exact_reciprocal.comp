// SPDX-License-Identifier: Apache-2.0
// exact_reciprocal.comp - 1 / (1 + x) in fixed point, with the roundings of the CPU's fixed_point.h; after exact_fixed.comp.

int mul_high(int a, int b)
{
    return fixed_mul_high(ivec4(a), ivec4(b)).x;
}

// x * 2^n, saturating.
int shift_left(int x, int n)
{
    return x > 0x7fffffff >> n ? 0x7fffffff : x < -0x7fffffff - 1 >> n ? -0x7fffffff - 1 : x << n;
}

// 1 / (1 + x), both with 31 fractional bits, by Newton's method.
int one_over_one_plus(int x)
{
    int half_denominator = int((uint(x) + 0x80000000u) >> 1);
    int y = 1515870810 + mul_high(half_denominator, -1010580540);

    for (int i = 0; i < 3; i++)
        y += shift_left(mul_high(y, (1 << 29) - mul_high(half_denominator, y)), 2);
    return shift_left(y, 1);
}

