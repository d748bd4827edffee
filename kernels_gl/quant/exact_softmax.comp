// SPDX-License-Identifier: Apache-2.0
// exact_softmax.comp - a row of channels in fixed point, with the roundings of the CPU's softmax_quant.c and fixed_point.h.
// t: exp(-d) of a difference d, with 31 fractional bits.

int exp_of(int d)
{
    return LOADI(t, d >> 2)[d & 3];
}

bvec4 within(int s)
{
    return lessThan(4 * s + ivec4(0, 1, 2, 3), ivec4(X_C));
}

void run(int b, int h, int w, int _)
{
    ivec4 most4 = ivec4(-0x8000);

    for (int s = 0; s < X_S; s++)
        most4 = max(most4, mix(ivec4(-0x8000), LOAD(x, b, h, w, s), within(s)));

    int most = max(max(most4.x, most4.y), max(most4.z, most4.w));
    ivec4 sum4 = ivec4(0);

    for (int s = 0; s < X_S; s++) {
        ivec4 d = mix(ivec4(0), most - LOAD(x, b, h, w, s), within(s));
        ivec4 e = fixed_shift_right(ivec4(exp_of(d.x), exp_of(d.y), exp_of(d.z), exp_of(d.w)), ivec4(12));

        sum4 += mix(ivec4(0), e, within(s));
    }

    int sum = sum4.x + sum4.y + sum4.z + sum4.w;
    int shift = findMSB(uint(sum)), right = shift - 19 + 31 - OUT_BITS;
    ivec4 reciprocal = ivec4(one_over_one_plus(int((uint(sum) << (31 - shift)) - 0x80000000u)));

    for (int s = 0; s < X_S; s++) {
        ivec4 d = mix(ivec4(0), most - LOAD(x, b, h, w, s), within(s));
        ivec4 e = ivec4(exp_of(d.x), exp_of(d.y), exp_of(d.z), exp_of(d.w));
        ivec4 v = fixed_shift_right(fixed_mul_high(reciprocal, e), ivec4(right));

        STORE(y, b, h, w, s, right < 32 ? clamp(v + LEAST, ivec4(LEAST), ivec4(MOST)) : ivec4(LEAST));
    }
}
