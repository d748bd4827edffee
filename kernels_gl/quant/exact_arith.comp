// SPDX-License-Identifier: Apache-2.0
// exact_arith.comp - two integers in fixed point, with the roundings of kernels_cpu/ops/arith_quant.c, binary.c and prelu.c.

// A value less its zero point, with more bits, in steps that both sides share.
ivec4 scaled(ivec4 v, int zero, int mult, int shift)
{
    return fixed_scale((v - zero) << LEFT, ivec4(mult), ivec4(shift));
}

ivec4 finish(ivec4 v)
{
    return clamp(fixed_scale(v, ivec4(Y_MULT), ivec4(Y_SHIFT)) + Y_ZERO, ivec4(LEAST), ivec4(MOST));
}

void run(int b, int h, int w, int s)
{
    ivec4 a = LOADB(x, b, h, w, s), c = LOADB(z, b, h, w, s);

#if BY_SHIFTS
    ivec4 v = fixed_shift_right(a, ivec4(-A_SHIFT)) + SIGN * fixed_shift_right(c, ivec4(-B_SHIFT));

    STORE(y, b, h, w, s, clamp(clamp(v, ivec4(-0x8000), ivec4(0x7fff)), ivec4(LEAST), ivec4(MOST)));
#elif FRACTIONS
    ivec4 high = clamp((a * c + (1 << 14)) >> 15, ivec4(-0x8000), ivec4(0x7fff));

    STORE(y, b, h, w, s, Y_ZERO + clamp(fixed_shift_right(high, ivec4(8)), ivec4(LEAST - Y_ZERO), ivec4(MOST - Y_ZERO)));
#elif PRODUCT
    STORE(y, b, h, w, s, finish((a - A_ZERO) * (c - B_ZERO)));
#elif SLOPES
    ivec4 v = a - A_ZERO;
    ivec4 up = fixed_scale(v, ivec4(A_MULT), ivec4(A_SHIFT)) + Y_ZERO;

    STORE(y, b, h, w, s, mix(clamp(up, ivec4(LEAST), ivec4(MOST)), finish(v * (c - B_ZERO)), lessThan(v, ivec4(0))));
#else
    ivec4 left = scaled(a, A_ZERO, A_MULT, A_SHIFT), right = scaled(c, B_ZERO, B_MULT, B_SHIFT);

#if SQUARED
    STORE(y, b, h, w, s, finish((left - right) * (left - right)));
#else
    STORE(y, b, h, w, s, finish(left + SIGN * right));
#endif
#endif
}
