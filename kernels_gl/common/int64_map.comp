// SPDX-License-Identifier: Apache-2.0
// int64_map.comp - functions of numbers of 64 bits. ONE: the second operand is one number.

// The quotient rounded towards 0, and what is left, with the sign of a. Of a division by 0 some number.
WIDE quotient(WIDE a, WIDE b, out WIDE rest)
{
    bvec4 a_negative = lessThan(a.high, ivec4(0)), b_negative = lessThan(b.high, ivec4(0));
    WIDE x = int64_negated(a, a_negative), z = int64_negated(b, b_negative), q = WIDE(ivec4(0), ivec4(0)), less;

    rest = q;
    for (int i = 63; i >= 0; i--) {
        ivec4 word = i > 31 ? x.high : x.low, bit;

        rest.high = rest.high << 1 | ivec4(uvec4(rest.low) >> 31);
        rest.low = rest.low << 1 | (word >> (i & 31) & 1);
        bit = ivec4(not(int64_below(rest, z)));
        less = int64_difference(rest, z);
        rest = int64_pick(rest, less, notEqual(bit, ivec4(0)));
        q.high = q.high << 1 | ivec4(uvec4(q.low) >> 31);
        q.low = q.low << 1 | bit;
    }
    rest = int64_negated(rest, a_negative);
    return int64_negated(q, notEqual(ivec4(a_negative), ivec4(b_negative)));
}

WIDE divided(WIDE a, WIDE b)
{
    WIDE rest;

    return quotient(a, b, rest);
}

// The rest of a division whose quotient is rounded down.
WIDE floor_rest(WIDE a, WIDE b)
{
    WIDE rest, q = quotient(a, b, rest);
    ivec4 some = rest.low | rest.high, other = ivec4(lessThan(rest.high ^ b.high, ivec4(0)));

    return int64_pick(rest, int64_sum(rest, b), notEqual(min(abs(sign(some)), other), ivec4(0)));
}

WIDE at_least(WIDE a, WIDE b)
{
    return int64_pick(a, b, int64_less(a, b));
}

WIDE at_most(WIDE a, WIDE b)
{
    return int64_pick(a, b, int64_less(b, a));
}

// Of numbers without sign.
WIDE lesser(WIDE a, WIDE b)
{
    return int64_pick(a, b, int64_below(b, a));
}

WIDE greater(WIDE a, WIDE b)
{
    return int64_pick(a, b, int64_below(a, b));
}

// ---- complex numbers: words are the real and the imaginary part as floats ----

bool is_infinite(float v)
{
    return (floatBitsToUint(v) & 0x7fffffffu) == 0x7f800000u;
}

bool is_nan(float v)
{
    return (floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u;
}

// Infinity becomes 1, all else 0, and the sign stays.
float boxed(float v)
{
    return uintBitsToFloat((floatBitsToUint(v) & 0x80000000u) | (is_infinite(v) ? 0x3f800000u : 0u));
}

float without_nan(float v)
{
    return is_nan(v) ? uintBitsToFloat(floatBitsToUint(v) & 0x80000000u) : v;
}

vec2 plain_product(vec2 a, vec2 b)
{
    PRECISE float re = a.x * b.x - a.y * b.y, im = a.x * b.y + a.y * b.x;

    return vec2(re, im);
}

// As C has it (C11, annex G.5.1): where both parts would be NaN but an infinity is in it, that shows.
vec2 product_of_two(vec2 a, vec2 b)
{
    vec2 y = plain_product(a, b);
    bool again = false;

    if (!is_nan(y.x) || !is_nan(y.y))
        return y;
    if (is_infinite(a.x) || is_infinite(a.y)) {
        a = vec2(boxed(a.x), boxed(a.y));
        b = vec2(without_nan(b.x), without_nan(b.y));
        again = true;
    }
    if (is_infinite(b.x) || is_infinite(b.y)) {
        b = vec2(boxed(b.x), boxed(b.y));
        a = vec2(without_nan(a.x), without_nan(a.y));
        again = true;
    }
    if (!again && (is_infinite(a.x * b.x) || is_infinite(a.y * b.y) || is_infinite(a.x * b.y) || is_infinite(a.y * b.x))) {
        a = vec2(without_nan(a.x), without_nan(a.y));
        b = vec2(without_nan(b.x), without_nan(b.y));
        again = true;
    }
    return again ? uintBitsToFloat(0x7f800000u) * plain_product(a, b) : y;
}

WIDE complex_product(WIDE a, WIDE b)
{
    WIDE y;

    for (int k = 0; k < 4; k++) {
        vec2 v = product_of_two(vec2(intBitsToFloat(a.low[k]), intBitsToFloat(a.high[k])),
                                vec2(intBitsToFloat(b.low[k]), intBitsToFloat(b.high[k])));

        y.low[k] = floatBitsToInt(v.x);
        y.high[k] = floatBitsToInt(v.y);
    }
    return y;
}

void run(int b, int h, int w, int s)
{
    WIDE x = WIDE(LOAD(x, b, h, w, s), LOAD(x, b + X_B / 2, h, w, s));
#if ONE
    WIDE z = WIDE(ivec4(LOADC(z, 0, 0, 0, 0)), ivec4(LOADC(z, 1, 0, 0, 0)));
#else
    WIDE z = WIDE(LOAD(z, b, h, w, s), LOAD(z, b + Z_B / 2, h, w, s));
#endif
    WIDE y = FN(x, z);

    STORE(y, b, h, w, s, y.low);
    STORE(y, b + Y_B / 2, h, w, s, y.high);
}
