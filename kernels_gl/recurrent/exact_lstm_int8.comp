// SPDX-License-Identifier: Apache-2.0
// exact_lstm_int8.comp - an LSTM whose gates are sums of 8 bits, as kernels_cpu/recurrent/lstm_int8.c has it: PART 0 are the sums
// of all gates, CELL_S slices each, of their products with the input, x, and with the output state, r; 1 the cells' new state and 2
// what they put out, of the sums, x, and the state before or the new one, c.

#if PART == 0
// t: for each gate two vectors, of the product with the input and with the state: zero point, multiplier and shift.
ivec4 in_8_bits(ivec4 v, ivec4 numbers)
{
    return fixed_scale(clamp(v + numbers.x, ivec4(-128), ivec4(127)) - numbers.x, ivec4(numbers.y), ivec4(numbers.z));
}

void run(int b, int h, int w, int s)
{
    int at = 2 * (s / CELL_S);
    ivec4 of_input = in_8_bits(LOAD(x, b, h, w, s), LOADI(t, at)), of_state = in_8_bits(LOAD(r, b, h, w, s), LOADI(t, at + 1));

    STORE(y, b, h, w, s, saturate16(of_input + of_state));
}
#else
// t: for each gate a vector that begins with the norm's scale, then the norm and what is added behind it, CELL_S vectors each; then
// tables of two functions of 16 bits, from -2^15 on, two numbers a word.
#define SCALE(gate)        intBitsToFloat(LOADI(t, (gate) * (1 + 2 * CELL_S)).x)
#define VECTOR(gate, k, s) intBitsToFloat(LOADI(t, (gate) * (1 + 2 * CELL_S) + 1 + (k) * CELL_S + (s)))

int entry(int table, int v)
{
    int i = v + 0x8000;

    return LOADI(t, TABLES + table * 8192 + (i >> 3))[i >> 1 & 3] >> (16 * (i & 1)) << 16 >> 16;
}

ivec4 look_up(int table, ivec4 v)
{
    return ivec4(entry(table, v.x), entry(table, v.y), entry(table, v.z), entry(table, v.w));
}

// Nearest to v * 2^12, halves away from zero.
int to_16_bits(float v)
{
    float size = min(abs(v) * 4096.0, 40000.0);
    int whole = int(size), near = whole + int(size - float(whole) >= 0.5);

    return clamp(v < 0.0 ? -near : near, -0x8000, 0x7fff);
}

float mean_of(float sum)
{
    return sum == 0.0 ? 0.0 : sum < 0.0 ? -exact_divide(-sum, float(N_CELL)) : exact_divide(sum, float(N_CELL));
}

// As floats have it, sum by sum: a variance may come out below 0, whose root is NaN, as then all of the gate: 0 in 16 bits.
ivec4 gate_of(int gate, int b, int h, int w, int s)
{
    float scale = SCALE(gate), sum = 0.0, squares = 0.0;

    for (int i = 0; i < CELL_S; i++) {
        vec4 v = vec4(LOAD(x, b, h, w, gate * CELL_S + i)), square = ROUNDED(v * v, scale);

        for (int lane = 0; lane < 4 && 4 * i + lane < N_CELL; lane++) {
            sum += v[lane];
            squares += square[lane];
        }
    }
    float mean = mean_of(sum), variance = mean_of(squares) - ROUNDED(mean * mean, scale);

    if (variance < 0.0)
        return ivec4(0);
    float inverse = variance == 0.0 ? 10000.0 : exact_inv_root(variance); // of 1e-8, then
    vec4 unit = ROUNDED((vec4(LOAD(x, b, h, w, gate * CELL_S + s)) - mean) * inverse, scale);
    vec4 weighted = ROUNDED(ROUNDED(unit * VECTOR(gate, 0, s), scale) * scale, scale) + VECTOR(gate, 1, s);

    return ivec4(to_16_bits(weighted.x), to_16_bits(weighted.y), to_16_bits(weighted.z), to_16_bits(weighted.w));
}

void run(int b, int h, int w, int s)
{
    ivec4 state = LOAD(c, b, h, w, s);

#if PART == 1
    ivec4 forget = look_up(0, gate_of(0, b, h, w, s)), fresh = look_up(1, gate_of(1, b, h, w, s));
    ivec4 kept = fixed_shift_right(forget * state, ivec4(15)), added = fixed_shift_right((0x7fff - forget) * fresh, ivec4(15));

    STORE(y, b, h, w, s, clamp(kept + added, ivec4(STATE_LEAST), ivec4(STATE_MOST)));
#else
    STORE(y, b, h, w, s, fixed_shift_right(look_up(0, gate_of(2, b, h, w, s)) * look_up(1, state), ivec4(15)));
#endif
}
#endif
