// SPDX-License-Identifier: Apache-2.0
// exact_fixed16.comp - kernels_cpu/quant/fixed16.h in GLSL, lane by lane: the same bits. After exact_fixed.comp.

ivec4 saturate16(ivec4 v)
{
    return clamp(v, ivec4(-0x8000), ivec4(0x7fff));
}

ivec4 wrap16(ivec4 v)
{
    return v << 16 >> 16;
}

ivec4 mul16(ivec4 a, ivec4 b)
{
    return saturate16((a * b + (1 << 14)) >> 15);
}

ivec4 exp16_quarter(ivec4 a)
{
    ivec4 x = wrap16(a + (1 << 12)), x2 = mul16(x, x), x3 = mul16(x2, x), x4 = mul16(x2, x2);
    ivec4 third = mul16(wrap16(fixed_shift_right(x4, ivec4(2)) + x3), ivec4(10923));

    return saturate16(28918 + mul16(ivec4(28918), wrap16(x + fixed_shift_right(wrap16(third + x2), ivec4(1)))));
}

// exp(a) for a < 0, and some number for 0, with `bits` integer bits.
ivec4 exp16(ivec4 a, int bits)
{
    int powers[7] = int[7](25520, 19875, 12055, 4435, 600, 11, 0);
    int quarter = 1 << (13 - bits);
    ivec4 part = (a & (quarter - 1)) - quarter, rest = wrap16(part - a);
    ivec4 y = exp16_quarter(saturate16(part * (1 << bits)));

    for (int i = 0; i < 7 && i - 2 < bits; i++)
        y = mix(y, mul16(y, ivec4(powers[i])), notEqual(rest & (quarter << i), ivec4(0)));
    if (bits > 5)
        y = mix(y, ivec4(0), lessThan(a, ivec4(-(32 << (15 - bits)))));
    return y;
}

// 2 / (1 + a), with two integer bits.
ivec4 two_over_one_plus16(ivec4 a)
{
    ivec4 whole = (a + 0x8000) >> 1, x = wrap16(23130 + mul16(whole, ivec4(-15420)));

    for (int i = 0; i < 3; i++)
        x = wrap16(x + saturate16(4 * mul16(x, wrap16((1 << 13) - mul16(whole, x)))));
    return x;
}

ivec4 logistic16(ivec4 a, int bits)
{
    ivec4 y = saturate16(2 * two_over_one_plus16(exp16(wrap16(-abs(a)), bits)));

    return mix(mix(0x7fff - y, y, greaterThan(a, ivec4(0))), ivec4(1 << 14), equal(a, ivec4(0)));
}

ivec4 tanh16(ivec4 a, int bits)
{
    ivec4 y = saturate16(4 * (two_over_one_plus16(exp16(wrap16(-abs(a)), bits + 1)) - (1 << 13)));

    return mix(mix(-y, y, greaterThan(a, ivec4(0))), ivec4(0), equal(a, ivec4(0)));
}
