// SPDX-License-Identifier: Apache-2.0
// exact_requant.comp - requant_one() of kernels_cpu/quant/requant.h. REQUANT: enum requant_kind. The table "w" begins with
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
    return int64_shift_right(high, uvec4(low), shift);
}

// Likewise of (high * 2^32 + low) and 15 bits, of which 64 bits count.
ivec4 exact_requant_wide(ivec4 high, uvec4 low, ivec4 mult, ivec4 shift)
{
    uvec4 over, product;

    umulExtended(low, uvec4(mult), over, product);
    return clamp(int64_shift_right(high * mult + ivec4(over), product, shift) + ZERO, ivec4(LEAST), ivec4(MOST));
}
#elif REQUANT == 2
ivec4 exact_scale(ivec4 x, ivec4 mult, ivec4 shift, int s)
{
    return real_scale(x, uvec4(mult), uvec4(LOADI(w, EXACT_ROWS * s + 3)), shift);
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
