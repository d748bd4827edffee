// SPDX-License-Identifier: Apache-2.0
// int64.comp - functions of integers of 64 bits in two words.

// The high words of products of what is not negative.
ivec4 product_high4(ivec4 a, ivec4 b)
{
    uvec4 high, low;

    umulExtended(uvec4(UNFOLDED(a)), uvec4(b), high, low);
    return ivec4(high);
}

// The nearest float, ties to even: of the 32 highest bits, where the last stands for all below it.
float float_of_int64(int low, int high)
{
    uint l = uint(low), h = uint(high);
    bool negative = high < 0;
    float f;

    if (negative) {
        l = ~l + 1u;
        h = ~h + uint(l == 0u);
    }
    if (h == 0u) {
        f = float(l);
    } else {
        int top = findMSB(h), more = 31 - top;
        uint bits = more == 0 ? h : h << more | l >> (32 - more), rest = more == 0 ? l : l << more;

        f = float(bits | uint(rest != 0u)) * uintBitsToFloat(uint(127 + top + 1) << 23);
    }
    return negative ? -f : f;
}

vec4 float_of_words4(ivec4 low, ivec4 high)
{
    return vec4(float_of_int64(low.x, high.x), float_of_int64(low.y, high.y), float_of_int64(low.z, high.z),
                float_of_int64(low.w, high.w));
}
