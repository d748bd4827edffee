// SPDX-License-Identifier: Apache-2.0
// exact_requant.comp - requant_one() of kernels_cpu/quant/requant_one.h. REQUANT: enum requant_kind. The table "w" begins with
// EXACT_ROWS vectors for each slice of channels: bias, multiplier, shift, and the multiplier's high word where it has two. With
// ONE_SCALE it has none, as all channels have one scale and no bias.

ivec4 exact_bias(int s)
{
#if ONE_SCALE
    return ivec4(0);
#elif BIAS_VALUE
    return LOAD(e, 0, 0, 0, s);
#else
    return LOADI(w, EXACT_ROWS * s);
#endif
}

ivec4 exact_mult(int s)
{
#if ONE_SCALE
    return ivec4(SCALE_BITS);
#else
    return LOADI(w, EXACT_ROWS * s + 1);
#endif
}

ivec4 exact_shift(int s)
{
#if ONE_SCALE
    return ivec4(0);
#else
    return LOADI(w, EXACT_ROWS * s + 2);
#endif
}

#if HYBRID
vec4 exact_scales(ivec4 mult)
{
    return intBitsToFloat(mult);
}

vec4 exact_biases(ivec4 shift)
{
    return intBitsToFloat(shift);
}

// sum * (step * the weights' scale) + bias, or sum * the weights' scale * step + bias, each of them rounded.
vec4 exact_real(ivec4 sum, ivec4 mult, ivec4 shift, float step)
{
#if CHANNEL_FIRST
    vec4 scaled = ROUNDED(vec4(sum) * exact_scales(mult), step);
    vec4 v = ROUNDED(scaled * step, step);
#else
    vec4 scale = ROUNDED(step * exact_scales(mult), step);
    vec4 v = ROUNDED(vec4(sum) * scale, step);
#endif

#if ADDS_BIAS
    v = v + exact_biases(shift);
#endif
    return v;
}
#elif REQUANT == 1
// 64 bits: x times 15 bits, rounded once. `shift` is between 1 and 46.
ivec4 exact_scale(ivec4 x, ivec4 mult, ivec4 shift, int s)
{
    ivec4 high, low;

    imulExtended(x, mult, high, low);
    return wide_shift_right(high, uvec4(low), shift);
}

// Likewise of (high * 2^32 + low) and 15 bits, of which 64 bits count.
ivec4 exact_requant_wide(ivec4 high, uvec4 low, ivec4 mult, ivec4 shift)
{
    uvec4 over, product;

    umulExtended(low, uvec4(mult), over, product);
    return clamp(wide_shift_right(high * mult + ivec4(over), product, shift) + ZERO, ivec4(LEAST), ivec4(MOST));
}
#elif REQUANT == 2
// round(double(x) * scale), halves away from zero, where scale is a whole number of 53 bits over 2^shift. The double that a product
// p rounds to reaches the next whole number and a half if p is not further below it than half of p's last place: that is added.
uint exact_scale_one(uint x, uint low, uint high, int shift)
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

ivec4 exact_scale(ivec4 x, ivec4 mult, ivec4 shift, int s)
{
    uvec4 low = uvec4(mult), high = uvec4(LOADI(w, EXACT_ROWS * s + 3));
    ivec4 sign = x >> 31;
    uvec4 size = uvec4((x ^ sign) - sign);
    uvec4 y;

    for (int i = 0; i < 4; i++)
        y[i] = exact_scale_one(size[i], low[i], high[i], shift[i]);
    y = min(y, uvec4(0x7fffffff - sign)); // what does not fit 32 bits saturates
    return (ivec4(y) ^ sign) - sign;
}
#elif HALVES_UP
ivec4 exact_scale(ivec4 x, ivec4 mult, ivec4 shift, int s)
{
    ivec4 v = fixed_mul_high(x << max(shift, 0), mult), right = max(-shift, 0);

    return (v >> right) + (v >> max(right - 1, 0) & min(right, 1));
}
#else
ivec4 exact_scale(ivec4 x, ivec4 mult, ivec4 shift, int s)
{
    return fixed_scale(x, mult, shift);
}
#endif

#if !HYBRID
ivec4 exact_requant(ivec4 sum, ivec4 mult, ivec4 shift, int s)
{
    return clamp(exact_scale(sum, mult, shift, s) + ZERO, ivec4(LEAST), ivec4(MOST));
}
#endif
