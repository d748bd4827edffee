// SPDX-License-Identifier: Apache-2.0
// doubles.comp - FLOAT64 as two words, low and high, to and from integers of 64 bits and floats.

// The nearest to a signed integer, ties to even.
ivec2 double_of_words(int low, int high)
{
    uint l = uint(low), h = uint(high);
    bool negative = high < 0;

    if (negative) {
        l = ~l + 1u;
        h = ~h + uint(l == 0u);
    }
    if ((l | h) == 0u)
        return ivec2(0);
    int top = h != 0u ? 32 + findMSB(h) : findMSB(l), up = 63 - top;
    if (up >= 32) {
        h = l << (up - 32);
        l = 0u;
    } else if (up > 0) {
        h = h << up | l >> (32 - up);
        l <<= up;
    }
    uint rest = l & 2047u;
    l = l >> 11 | h << 21;
    h >>= 11;
    if (rest > 1024u || (rest == 1024u && (l & 1u) == 1u)) {
        l += 1u;
        h += uint(l == 0u);
    }
    // The highest bit, and what rounding carries into, count in the exponent.
    h += uint(top + 1022) << 20;
    return ivec2(int(l), int(h | (negative ? 0x80000000u : 0u)));
}

ivec2 double_of_float(float a)
{
    uint bits = floatBitsToUint(a), sign = bits & 0x80000000u, m = bits & 0x7fffffu;
    int e = int(bits >> 23 & 255u);

    if (e == 255)
        return ivec2(int(m << 29), int(sign | 0x7ff00000u | m >> 3));
    if (e == 0) {
        if (m == 0u)
            return ivec2(0, int(sign));
        int top = findMSB(m);
        m = m << (23 - top) & 0x7fffffu;
        e = top - 22;
    }
    return ivec2(int(m << 29), int(sign | uint(e + 896) << 20 | m >> 3));
}

// The nearest, ties to even.
float float_of_double(int low, int high)
{
    uint l = uint(low), h = uint(high), sign = h & 0x80000000u, m = h & 0xfffffu;
    int e = int(h >> 20 & 2047u), exponent = e - 896;
    uint bits = (m | 0x100000u) << 3 | l >> 29, rest = l << 3;

    if (e == 2047)
        return uintBitsToFloat(sign | 0x7f800000u | ((m | l) != 0u ? 0x400000u : 0u));
    if (exponent >= 255)
        return uintBitsToFloat(sign | 0x7f800000u);
    if (exponent < -23)
        return uintBitsToFloat(sign);
    if (exponent <= 0) {
        int down = 1 - exponent;
        rest = bits << (32 - down) | uint(rest != 0u);
        bits >>= down;
    } else {
        bits += uint(exponent - 1) << 23;
    }
    bits += uint(rest > 0x80000000u || (rest == 0x80000000u && (bits & 1u) == 1u));
    return uintBitsToFloat(sign | bits);
}

// Without its fraction; what is beyond 64 bits becomes the nearest that is not, NaN the largest.
ivec2 words_of_double(int low, int high, bool is_signed)
{
    uint l = uint(low), h = uint(high) & 0xfffffu;
    int e = int(uint(high) >> 20 & 2047u), exponent = e - 1023, down = 52 - exponent;
    bool negative = high < 0, is_nan = e == 2047 && (h | l) != 0u;
    ivec2 largest = ivec2(-1, is_signed ? 2147483647 : -1);

    if (is_nan)
        return largest;
    if (exponent < 0 || (negative && !is_signed))
        return ivec2(0);
    if (exponent >= (is_signed ? 63 : 64))
        return negative ? ivec2(0, -2147483647 - 1) : largest;
    h |= 0x100000u;
    if (down < 0) {
        h = h << -down | l >> (32 + down);
        l <<= -down;
    } else if (down >= 32) {
        l = h >> (down - 32);
        h = 0u;
    } else if (down > 0) {
        l = l >> down | h << (32 - down);
        h >>= down;
    }
    if (negative) {
        l = ~l + 1u;
        h = ~h + uint(l == 0u);
    }
    return ivec2(int(l), int(h));
}

ivec4 double_of_words4(ivec4 a, ivec4 b, int word)
{
    return ivec4(double_of_words(a.x, b.x)[word], double_of_words(a.y, b.y)[word], double_of_words(a.z, b.z)[word],
                 double_of_words(a.w, b.w)[word]);
}

ivec4 double_of_float4(vec4 a, int word)
{
    return ivec4(double_of_float(a.x)[word], double_of_float(a.y)[word], double_of_float(a.z)[word], double_of_float(a.w)[word]);
}

vec4 float_of_double4(ivec4 a, ivec4 b)
{
    return vec4(float_of_double(a.x, b.x), float_of_double(a.y, b.y), float_of_double(a.z, b.z), float_of_double(a.w, b.w));
}

ivec4 words_of_double4(ivec4 a, ivec4 b, bool is_signed, int word)
{
    return ivec4(words_of_double(a.x, b.x, is_signed)[word], words_of_double(a.y, b.y, is_signed)[word],
                 words_of_double(a.z, b.z, is_signed)[word], words_of_double(a.w, b.w, is_signed)[word]);
}
