// SPDX-License-Identifier: Apache-2.0
// lstm_basic.comp - cells of a basic LSTM. gates holds, one after the other: input gate, new input, forget gate, output gate; all
// before their activation. With EXACT of 16 bits, after exact_fixed16.comp.

VEC gate(int i, int b, int h, int w, int s)
{
    VEC v;

    for (int k = 0; k < 4; k++)
        v[k] = LOADC(gates, b, h, w, i * Y_C + min(4 * s + k, Y_C - 1));
    return v;
}

#if EXACT
void run(int b, int h, int w, int s)
{
    ivec4 fresh = mul16(logistic16(gate(0, b, h, w, s), 3), tanh16(gate(1, b, h, w, s), 3));
    ivec4 kept = mul16(logistic16(gate(2, b, h, w, s), 3), LOAD(before, b, h, w, s));
    ivec4 now = saturate16(fixed_shift_right(fresh, ivec4(4)) + kept);
    ivec4 v = mul16(logistic16(gate(3, b, h, w, s), 3), tanh16(saturate16(2 * now), 3));

    STORE(state, b, h, w, s, now);
    STORE(y, b, h, w, s, 128 + clamp(fixed_shift_right(v, ivec4(8)), ivec4(-128), ivec4(127)));
}
#else
vec4 sigmoid(vec4 v)
{
    return 1.0 / (1.0 + exp(-v));
}

// exp overflows long before tanh differs from +-1.
vec4 bounded_tanh(vec4 v)
{
    return tanh(clamp(v, vec4(-20.0), vec4(20.0)));
}

void run(int b, int h, int w, int s)
{
    vec4 fresh = sigmoid(gate(0, b, h, w, s)) * bounded_tanh(gate(1, b, h, w, s));
    vec4 kept = sigmoid(gate(2, b, h, w, s)) * LOAD(before, b, h, w, s);

    STORE(state, b, h, w, s, fresh + kept);
    STORE(y, b, h, w, s, sigmoid(gate(3, b, h, w, s)) * bounded_tanh(fresh + kept));
}
#endif
