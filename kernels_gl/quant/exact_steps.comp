// SPDX-License-Identifier: Apache-2.0
// exact_steps.comp - in what steps a part of x is quantized: hybrid_quantize() and hybrid_zero_point() of kernels_cpu/quant.

#if ASYMMETRIC
// What lies below a float of at least 0, as a number of 24 bits; its exponent goes to e.
uint mantissa(float a, out int e)
{
    uint u = floatBitsToUint(a);

    e = int(u >> 23);
    return u & 0x7fffffu | 0x800000u;
}

// The CPU has the zero point from doubles: t = a / (d / 255), both quotients rounded, then a whole number less or more t. Of t it
// matters to which whole number it is nearest, and where it is just between k and k + 1, to which side its roundings take it:
// -1, 0 or 1, counted where t is at least `from`, since below the sum rounds that away.
int nearest(float a, float d, int from, out int side, out bool between)
{
    int ea, ed;
    uint m = mantissa(a, ea), by = mantissa(d, ed), p = 255u * m, whole, rest;
    int n = ed - ea;

    side = 0;
    between = false;
    if (n > 9 || a == 0.0)
        return 0;
    if (n > 0) {
        by <<= n - 1;
        whole = p / by; // 2 t
        rest = p % by;
    } else {
        whole = p / by;
        rest = 2u * (p % by);
        whole = 2u * whole + uint(rest >= by);
        rest -= rest >= by ? by : 0u;
    }
    between = rest == 0u && (whole & 1u) == 1u;
    if (between && int(whole) >= 2 * from) {
        // d / 255 has 53 bits, the last of which was rounded by error / 255; t has `top` bits before the point.
        uint mant = floatBitsToUint(d) & 0x7fffffu | 0x800000u;
        bool large = mant >= 16711680u;
        int top = findMSB(whole), error = int((mant % 255u << (large ? 4 : 5)) % 255u);

        error = error > 127 ? 255 - error : -error;
        if (int(whole) * abs(error) * (large ? 2 : 1) > int(mant >> (16 - top)))
            side = -sign(error);
    }
    return int(whole) / 2 + int(!between && (whole & 1u) == 1u);
}

int zero_point(float low, float high, float d)
{
    int side;
    bool between;

    // Where the two are nearly alike they give the same.
    if (high + low > d / 255.0) {
        int t = nearest(-low, d, 64, side, between);

        return t - 128 + int(between && side > 0);
    }
    int u = nearest(high, d, 63, side, between);

    if (!between)
        return 127 - u;
    return 126 - u + int(side < 0 || (side == 0 && u < 127));
}
#endif

void run(int b, int h, int w, int s)
{
#if ASYMMETRIC
    float low = LOAD(lo, b, h, w, 0).x, high = LOAD(hi, b, h, w, 0).x;
    PRECISE float range = high - low;
    float steps = range == 0.0 ? 1.0 : exact_divide(range, 255.0);

    STORE(y, b, h, w, s, range == 0.0 ? vec4(1.0, 0.0, 0.0, 0.0)
                                      : vec4(steps, exact_divide(1.0, steps), clamp(zero_point(low, high, range), -128, 127), 0.0));
#else
    float most = LOAD(lo, b, h, w, 0).x;

    STORE(y, b, h, w, s, most == 0.0 ? vec4(1.0, 0.0, 0.0, 0.0)
                                     : vec4(exact_divide(most, 127.0), exact_divide(127.0, most), 0.0, 0.0));
#endif
}
