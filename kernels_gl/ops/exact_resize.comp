// SPDX-License-Identifier: Apache-2.0
// exact_resize.comp - a weighted mean of four neighbours. taps: rows, then columns, each with two indices and a fraction, FIXED by
// 1024. Weights add up to 2^20, and what wraps on the way wraps back.

// 2^8 * high + low, over 2^20, rounded: halves away from zero. Weights apply to 16 bits by halves, for which words are enough.
ivec4 rounded(ivec4 high, ivec4 low)
{
    ivec4 whole = high + (low >> 8);
    ivec4 rest = ivec4(notEqual(low & 255, ivec4(0)));

    return (whole + mix(ivec4(1 << 11), (1 << 11) - 1 + rest, lessThan(whole, ivec4(0)))) >> 12;
}

void run(int b, int h, int w, int s)
{
    ivec4 row = LOADI(taps, h), col = LOADI(taps, Y_H + w);
    ivec4 x00 = LOAD(x, b, row.x, col.x, s), x10 = LOAD(x, b, row.y, col.x, s);
    ivec4 x01 = LOAD(x, b, row.x, col.y, s), x11 = LOAD(x, b, row.y, col.y, s);

#if FIXED
    int down = row.z, right = col.z;
    int w00 = (1024 - down) * (1024 - right), w10 = down * (1024 - right), w01 = (1024 - down) * right, w11 = down * right;
#endif
#if WIDE
    ivec4 high = (x00 >> 8) * w00 + (x10 >> 8) * w10 + (x01 >> 8) * w01 + (x11 >> 8) * w11;
    ivec4 low = (x00 & 255) * w00 + (x10 & 255) * w10 + (x01 & 255) * w01 + (x11 & 255) * w11;

    STORE(y, b, h, w, s, rounded(high, low));
#elif FIXED
    ivec4 sum = x00 * w00 + x10 * w10 + x01 * w01 + x11 * w11;
    ivec4 sign = sum >> 31;

    STORE(y, b, h, w, s, (((((sum ^ sign) - sign) + (1 << 19)) >> 20) ^ sign) - sign);
#else
    PRECISE float down = intBitsToFloat(row.z), right = intBitsToFloat(col.z);
    PRECISE float up = 1.0 - down, left = 1.0 - right;
    float never_below = float(row.x);
    PRECISE vec4 v = ROUNDED(vec4(x00) * up * left, never_below) + ROUNDED(vec4(x10) * down * left, never_below) +
             ROUNDED(vec4(x01) * up * right, never_below) + ROUNDED(vec4(x11) * down * right, never_below);
    ivec4 whole = ivec4(v);

    STORE(y, b, h, w, s, (whole + ivec4(greaterThanEqual(v - vec4(whole), vec4(0.5)))) & 255);
#endif
}
