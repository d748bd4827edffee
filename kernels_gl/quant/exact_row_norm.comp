// SPDX-License-Identifier: Apache-2.0
// exact_row_norm.comp - L2_NORMALIZATION and LOG_SOFTMAX of a row of bytes in fixed point: fixed_point.c, l2_norm.c and
// log_softmax_quant.c of the CPU. t: exp(-d) of a difference d, with 19 fractional bits.

bvec4 within(int s)
{
    return lessThan(4 * s + ivec4(0, 1, 2, 3), ivec4(X_C));
}

#ifdef L2_NORM
void run(int b, int h, int w, int _)
{
    ivec4 sum = ivec4(0);

    for (int s = 0; s < X_S; s++) {
        ivec4 v = mix(ivec4(0), LOAD(x, b, h, w, s) - ZERO, within(s));

        sum += v * v;
    }
    ivec2 m = inv_sqrt(sum.x + sum.y + sum.z + sum.w);

    for (int s = 0; s < X_S; s++) {
        ivec4 v = LOAD(x, b, h, w, s) - ZERO;
#if LEAST < 0
        STORE(y, b, h, w, s, clamp(fixed_scale(v, ivec4(m.x), ivec4(m.y + 7)), ivec4(LEAST), ivec4(MOST)));
#else
        STORE(y, b, h, w, s, clamp(128 + fixed_scale(128 * v, ivec4(m.x), ivec4(m.y)), ivec4(LEAST), ivec4(MOST)));
#endif
    }
}
#else
// log(x) with 5 integer bits for x >= 1 with 12 of them.
int log_q5(int x)
{
    int zeros_a = 31 - findMSB(x);
    int r_a = shift_left(mul_high(shift_left(x, zeros_a - 1), 1518500250), 1);
    int power_a = shift_left(12 - zeros_a, 25) + (1 << 23);
    int zeros_b = 30 - findMSB(mul_high(x, 1518500250));
    int r_b = shift_left(x, zeros_b);
    int power_b = shift_left(12 - zeros_b, 25) - (1 << 23);
    int r = min(r_a, r_b);

    // log(r) about the fourth root of 1/2.
    int p = int((uint(r) + 1805811301u + 1u) >> 1), q = 2 * (r - 1805811301), square = mul_high(q, q);
    int denominator = mul_high(p, 1057819769 + q + mul_high(127690142, square)) + mul_high(638450708, q);
    int numerator = mul_high(q, r) + mul_high(mul_high(q, square), 117049297);
    int y = mul_high(max(power_a, power_b), 1488522236) +
            mul_high(fixed_shift_right(ivec4(numerator), ivec4(6)).x, one_over_one_plus(denominator));

    return shift_left(y, 1);
}

int exp_of(int d)
{
    return LOADI(t, d >> 2)[d & 3];
}

void run(int b, int h, int w, int _)
{
    ivec4 most4 = ivec4(-0x8000);
    int sum = 0;

    for (int s = 0; s < X_S; s++)
        most4 = max(most4, mix(ivec4(-0x8000), LOAD(x, b, h, w, s), within(s)));
    int most = max(max(most4.x, most4.y), max(most4.z, most4.w));

    for (int s = 0; s < X_S; s++) {
        ivec4 d = most - LOAD(x, b, h, w, s);

        for (int k = 0; k < 4 && 4 * s + k < X_C; k++)
            sum += exp_of(d[k]);
    }
    int log_sum = log_q5(sum);
    int limit = max(fixed_scale(ivec4(log_sum - 0x7fffffff - 1), ivec4(REVERSE_MULT), ivec4(REVERSE_SHIFT)).x, DIFF_MIN - 1);

    for (int s = 0; s < X_S; s++) {
        ivec4 d = LOAD(x, b, h, w, s) - most;
        ivec4 v = fixed_shift_right(fixed_mul_high(d << SHIFT, ivec4(MULT)) - log_sum, ivec4(22)) + MOST;

        STORE(y, b, h, w, s, mix(ivec4(LEAST), clamp(v, ivec4(LEAST), ivec4(MOST)), greaterThan(d, ivec4(limit))));
    }
}
#endif
