// SPDX-License-Identifier: Apache-2.0
// exact_softmax_wide.comp - a row of 16-bit channels, as row_int16() of the CPU's softmax_quant.c: exponentials and the reciprocal
// of their sum from tables of 513 points, of POINTS words each.

int at(int table, int i)
{
    int k = table * POINTS + i;

    return LOADI(t, k >> 2)[k & 3];
}

// lut16_at() of kernels_cpu/quant/lut.h.
int interpolated(int table, int x)
{
    int i = 256 + (x >> 7), here = at(table, i);

    return here + (((at(table, i + 1) - here) * (x & 127) + 64) >> 7);
}

ivec4 exps(int b, int h, int w, int s, int most)
{
    ivec4 x = fixed_scale(LOAD(x, b, h, w, s) - most, ivec4(MULT), ivec4(SHIFT)) + 0x7fff;
    ivec4 v;

    x = clamp(x, ivec4(-0x8000), ivec4(0x7fff));
    for (int k = 0; k < 4; k++)
        v[k] = interpolated(0, x[k]);
    return v;
}

bvec4 within(int s)
{
    return lessThan(4 * s + ivec4(0, 1, 2, 3), ivec4(X_C));
}

void run(int b, int h, int w, int _)
{
    ivec4 most4 = ivec4(-0x8000), sum4 = ivec4(0);

    for (int s = 0; s < X_S; s++)
        most4 = max(most4, mix(ivec4(-0x8000), LOAD(x, b, h, w, s), within(s)));
    int most = max(max(most4.x, most4.y), max(most4.z, most4.w));

    for (int s = 0; s < X_S; s++)
        sum4 += mix(ivec4(0), exps(b, h, w, s, most), within(s));
    int sum = sum4.x + sum4.y + sum4.z + sum4.w, zeros = 31 - findMSB(sum);
    int moved = int(((uint(sum) << (zeros - 1)) + 0x2000u) >> 14) - 0x18000;
    int reciprocal = interpolated(1, clamp(moved, -0x8000, 0x7fff)), right = max(31 - zeros, 1);

    for (int s = 0; s < X_S; s++) {
        ivec4 v = (exps(b, h, w, s, most) * reciprocal + (1 << (right - 1))) >> right;

        STORE(y, b, h, w, s, clamp(v, ivec4(0), ivec4(0x7fff)));
    }
}
