// SPDX-License-Identifier: Apache-2.0
// exact_lstm.comp - the cells of an integer LSTM after the products of a step, as kernels_cpu/recurrent/lstm_int.c has them: their
// new state (PART 1), or (2) what they put out. x: the products of all gates, CELL_S slices each; c: the state before, or the new
// one. t: for each gate two vectors of numbers, then its peepholes, its norm and the biases of that, CELL_S vectors each.

#define NUMBERS(gate, i) LOADI(t, (gate) * (2 + 3 * CELL_S) + (i))
#define VECTOR(gate, k, s) NUMBERS(gate, 2 + (k) * CELL_S + (s))

#if PEEPHOLES
// With a projection they are those of other cells: the CPU walks through the batch, along w, as if it had as many cells as outputs.
// The new input's are zeros.
ivec4 add_peepholes(int gate, ivec4 v, int b, int h, int w, int s)
{
    ivec4 scales = NUMBERS(gate, 0), state = LOAD(c, b, h, w, s), peephole = ivec4(0);
    int at = w * N_CELL + 4 * s, end = N_OUTPUT * X_W;

    for (int lane = 0; lane < 4 && at + lane < end; lane++) {
        int i = (at + lane) % N_OUTPUT;

        peephole[lane] = VECTOR(gate, 0, i >> 2)[i & 3];
    }
    return saturate16(fixed_scale(peephole * state, ivec4(scales.x), ivec4(scales.y)) + v);
}
#endif

ivec4 sums(int gate, int b, int h, int w, int s)
{
    ivec4 v = LOAD(x, b, h, w, gate * CELL_S + s);

#if PEEPHOLES
    v = add_peepholes(gate, v, b, h, w, s);
#endif
    return v;
}

#if NORM
// With 10 fractional bits. What a variance is below zero, by roundings, is no more than 31 bits.
void mean_and_variance(int gate, int b, int h, int w, out int mean, out int variance)
{
    int sum = 0;
    uint low = 0u, high = 0u, carry, over, scaled, square_high, square_low, weight = uint((1 << 20) / N_CELL);

    for (int s = 0; s < CELL_S; s++) {
        ivec4 v = sums(gate, b, h, w, s);

        for (int lane = 0; lane < 4 && 4 * s + lane < N_CELL; lane++) {
            sum += v[lane];
            low = uaddCarry(low, uint(v[lane] * v[lane]), carry);
            high += carry;
        }
    }
    mean = abs(sum) / N_CELL * 1024 + abs(sum) % N_CELL * 1024 / N_CELL;
    umulExtended(uint(mean), uint(mean), square_high, square_low);
    high *= weight;
    umulExtended(low, weight, over, scaled);
    high += over;
    scaled = usubBorrow(scaled, square_low, carry);
    high -= square_high + carry;
    variance = int(high << 12 | scaled >> 20);
    mean = sum < 0 ? -mean : mean;
}

// (a * b + c) / 1024, halves away from zero.
ivec4 weighted(ivec4 a, ivec4 b, ivec4 c)
{
    ivec4 high, low;
    uvec4 carry, size_low, size_high;

    imulExtended(a, b, high, low);
    size_low = uaddCarry(uvec4(low), uvec4(c), carry);
    high += (c >> 31) + ivec4(carry);

    ivec4 sign = high >> 31;

    size_low = uaddCarry(size_low ^ uvec4(sign), uvec4(-sign), carry);
    size_high = (uvec4(high) ^ uvec4(sign)) + carry;
    size_low = uaddCarry(size_low, uvec4(512u), carry);
    size_high += carry;
    return (ivec4(size_high << 22u | size_low >> 10u) ^ sign) - sign;
}
#endif

ivec4 gate_of(int gate, int b, int h, int w, int s)
{
    ivec4 v = sums(gate, b, h, w, s);

#if NORM
    ivec4 scales = NUMBERS(gate, 0);
    int mean, variance;

    mean_and_variance(gate, b, h, w, mean, variance);
    ivec2 inverse = inv_sqrt(variance < 1 ? NUMBERS(gate, 1).x : variance);
    ivec4 unit = fixed_scale(1024 * v - mean, ivec4(inverse.x), ivec4(inverse.y));

    v = saturate16(fixed_scale(weighted(unit, VECTOR(gate, 1, s), VECTOR(gate, 2, s)), ivec4(scales.z), ivec4(scales.w)));
#endif
    return v;
}

void run(int b, int h, int w, int s)
{
    ivec4 state = LOAD(c, b, h, w, s);

#if PART == 2
    ivec4 gate = logistic16(gate_of(GATE_OUTPUT, b, h, w, s), 3);
    ivec4 v = fixed_scale(gate * tanh16(state, 15 + STATE_LOG2), ivec4(MULT), ivec4(SHIFT));

    STORE(y, b, h, w, s, clamp(v + ZERO, ivec4(-128), ivec4(127)));
#else
    ivec4 forget = logistic16(gate_of(GATE_FORGET, b, h, w, s), 3);
    ivec4 fresh = tanh16(gate_of(GATE_NEW, b, h, w, s), 3);
#if COUPLED
    ivec4 take = 0x7fff - forget;
#else
    ivec4 take = logistic16(gate_of(GATE_INPUT, b, h, w, s), 3);
#endif
    ivec4 kept = fixed_shift_right(forget * state, ivec4(15));
    ivec4 added = fixed_shift_right(take * fresh, ivec4(30 + STATE_LOG2));

    STORE(y, b, h, w, s, clamp(kept + added, ivec4(STATE_LEAST), ivec4(STATE_MOST)));
#endif
}
