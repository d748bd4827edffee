// SPDX-License-Identifier: Apache-2.0
// exact_resize.comp - a weighted mean of four neighbours. taps: rows, then columns, each with two indices and a fraction, FIXED by
// 1024. Weights add up to 2^20, and what wraps on the way wraps back.

void run(int b, int h, int w, int s)
{
    ivec4 row = LOADI(taps, h), col = LOADI(taps, Y_H + w);
    ivec4 x00 = LOAD(x, b, row.x, col.x, s), x10 = LOAD(x, b, row.y, col.x, s);
    ivec4 x01 = LOAD(x, b, row.x, col.y, s), x11 = LOAD(x, b, row.y, col.y, s);

#if FIXED
    int down = row.z, right = col.z;
    ivec4 sum = x00 * ((1024 - down) * (1024 - right)) + x10 * (down * (1024 - right)) + x01 * ((1024 - down) * right) +
                x11 * (down * right);
    ivec4 sign = sum >> 31;

    STORE(y, b, h, w, s, (((((sum ^ sign) - sign) + (1 << 19)) >> 20) ^ sign) - sign);
#else
    PRECISE float down = intBitsToFloat(row.z), right = intBitsToFloat(col.z);
    PRECISE float up = 1.0 - down, left = 1.0 - right;
    PRECISE vec4 v = vec4(x00) * up * left + vec4(x10) * down * left + vec4(x01) * up * right + vec4(x11) * down * right;
    ivec4 whole = ivec4(v);

    STORE(y, b, h, w, s, (whole + ivec4(greaterThanEqual(v - vec4(whole), vec4(0.5)))) & 255);
#endif
}
