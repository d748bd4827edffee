// SPDX-License-Identifier: Apache-2.0
// int64_value.comp - integers of 64 bits in two words, lane by lane. What overflows wraps.

struct WIDE {
    ivec4 low, high;
};

WIDE int64_pick(WIDE a, WIDE b, bvec4 second)
{
    return WIDE(mix(a.low, b.low, second), mix(a.high, b.high, second));
}

WIDE int64_sum(WIDE a, WIDE b)
{
    ivec4 low = a.low + b.low;

    return WIDE(low, a.high + b.high + ivec4(lessThan(uvec4(low), uvec4(a.low))));
}

WIDE int64_difference(WIDE a, WIDE b)
{
    return WIDE(a.low - b.low, a.high - b.high - ivec4(lessThan(uvec4(a.low), uvec4(b.low))));
}

WIDE int64_product(WIDE a, WIDE b)
{
    uvec4 high, low;

    umulExtended(uvec4(UNFOLDED(a.low)), uvec4(b.low), high, low);
    return WIDE(ivec4(low), ivec4(high) + a.low * b.high + a.high * b.low);
}

WIDE int64_and(WIDE a, WIDE b)
{
    return WIDE(a.low & b.low, a.high & b.high);
}

bvec4 int64_less(WIDE a, WIDE b)
{
    ivec4 by_low = ivec4(lessThan(uvec4(a.low), uvec4(b.low)));

    return notEqual(mix(ivec4(lessThan(a.high, b.high)), by_low, equal(a.high, b.high)), ivec4(0));
}

// The same of numbers without sign.
bvec4 int64_below(WIDE a, WIDE b)
{
    ivec4 by_low = ivec4(lessThan(uvec4(a.low), uvec4(b.low)));

    return notEqual(mix(ivec4(lessThan(uvec4(a.high), uvec4(b.high))), by_low, equal(a.high, b.high)), ivec4(0));
}

WIDE int64_negated(WIDE a, bvec4 where)
{
    return int64_pick(a, int64_difference(WIDE(ivec4(0), ivec4(0)), a), where);
}
