// SPDX-License-Identifier: Apache-2.0
// exact_real.comp - integers times a double, lane by lane: the same roundings to the bit.

// round(double(x) * scale), halves away from zero, where scale is a whole number of 53 bits over 2^shift. The double that a product
// p rounds to reaches the next whole number and a half if p is not further below it than half of p's last place: that is added.
uint real_scale_one(uint x, uint low, uint high, int shift)
{
    uint p0, p1, p2, h, l, carry;

    umulExtended(x, low, p1, p0);
    umulExtended(x, high, h, l);
    p1 = uaddCarry(p1, l, carry);
    p2 = h + carry;

    int top = p2 != 0u ? 64 + findMSB(p2) : p1 != 0u ? 32 + findMSB(p1) : 0;
    int at = shift - 1;

    p0 = uaddCarry(p0, top > 52 ? 1u << (top - 53) : 0u, carry);
    p1 = uaddCarry(p1, carry, carry);
    p2 += carry;
    p1 = uaddCarry(p1, at < 64 ? 1u << (at - 32) : 0u, carry);
    p2 += carry + (at < 64 ? 0u : 1u << (at - 64));
    if (shift > 63)
        return p2 >> (shift - 64);
    return p2 >> (shift - 32) != 0u ? 0xffffffffu : p1 >> (shift - 32) | p2 << (64 - shift);
}

// A result that does not fit 32 bits saturates.
ivec4 real_scale(ivec4 x, uvec4 low, uvec4 high, ivec4 shift)
{
    ivec4 sign = x >> 31;
    uvec4 size = uvec4((x ^ sign) - sign);
    uvec4 y;

    for (int i = 0; i < 4; i++)
        y[i] = real_scale_one(size[i], low[i], high[i], shift[i]);
    y = min(y, uvec4(0x7fffffff - sign));
    return (ivec4(y) ^ sign) - sign;
}

// The same; the shift stands above the 21 bits of the high word.
ivec4 real_scale_packed(ivec4 x, ivec4 low, ivec4 rest)
{
    return real_scale(x, uvec4(low), uvec4(rest) & 0x1fffffu, rest >> 21);
}
