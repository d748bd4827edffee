// SPDX-License-Identifier: Apache-2.0
// resize_bilinear.comp - a weighted mean of four neighbours. taps: rows, then columns, each with two indices and a fraction.
// Whoever reads it may compute it instead, in the same order: blend_text of lib/gl/codegen/access.c.

void run(int b, int h, int w, int s)
{
    ivec4 row = LOADI(taps, h);
    ivec4 col = LOADI(taps, Y_H + w);
    float down = intBitsToFloat(row.z);
    float right = intBitsToFloat(col.z);
    PRECISE vec4 v = LOAD(x, b, row.x, col.x, s) * (1.0 - down) * (1.0 - right) +
             LOAD(x, b, row.y, col.x, s) * down * (1.0 - right) +
             LOAD(x, b, row.x, col.y, s) * (1.0 - down) * right +
             LOAD(x, b, row.y, col.y, s) * down * right;

    STORE(y, b, h, w, s, v);
}
