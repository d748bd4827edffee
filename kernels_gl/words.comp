// SPDX-License-Identifier: Apache-2.0
// words.comp - functions of integers of 64 bits in two words.

// The high words of products of what is not negative.
ivec4 product_high4(ivec4 a, ivec4 b)
{
    uvec4 high, low;

    umulExtended(uvec4(a), uvec4(b), high, low);
    return ivec4(high);
}

// The nearest float, ties to even: of the 32 highest bits, where the last stands for all below it.
float float_of_words(int low, int high)
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
    return vec4(float_of_words(low.x, high.x), float_of_words(low.y, high.y), float_of_words(low.z, high.z),
                float_of_words(low.w, high.w));
}

// Low and high word of a float without its fraction; what is beyond 64 bits becomes the nearest that is not, NaN the largest. Of
// the magnitude every step is exact.
ivec2 words_of_float(float a)
{
    if (!(a < 9223372036854775808.0))
        return ivec2(-1, 2147483647);
    if (a < -9223372036854775808.0)
        return ivec2(0, -2147483647 - 1);
    float whole = trunc(abs(a)), high = floor(whole / 4294967296.0), rest = whole - high * 4294967296.0;
    float upper = floor(rest / 65536.0);
    uint l = uint(upper) << 16 | uint(rest - upper * 65536.0), h = uint(high);

    return a < 0.0 ? ivec2(int(~l + 1u), int(~h + uint(l == 0u))) : ivec2(int(l), int(h));
}

ivec4 high_of_float4(vec4 a)
{
    return ivec4(words_of_float(a.x).y, words_of_float(a.y).y, words_of_float(a.z).y, words_of_float(a.w).y);
}

ivec4 low_of_float4(vec4 a)
{
    return ivec4(words_of_float(a.x).x, words_of_float(a.y).x, words_of_float(a.z).x, words_of_float(a.w).x);
}
