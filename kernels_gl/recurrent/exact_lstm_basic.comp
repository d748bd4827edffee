// SPDX-License-Identifier: Apache-2.0
// exact_lstm_basic.comp - gates holds, one after the other: input gate, new input, forget gate, output gate; all of 16 bits and
// before their activation. After exact_fixed16.comp.

ivec4 gate(int i, int b, int h, int w, int s)
{
    ivec4 v;

    for (int k = 0; k < 4; k++)
        v[k] = LOADC(gates, b, h, w, i * Y_C + min(4 * s + k, Y_C - 1));
    return v;
}

void run(int b, int h, int w, int s)
{
    ivec4 fresh = mul16(logistic16(gate(0, b, h, w, s), 3), tanh16(gate(1, b, h, w, s), 3));
    ivec4 kept = mul16(logistic16(gate(2, b, h, w, s), 3), LOAD(before, b, h, w, s));
    ivec4 now = saturate16(fixed_shift_right(fresh, ivec4(4)) + kept);
    ivec4 v = mul16(logistic16(gate(3, b, h, w, s), 3), tanh16(saturate16(2 * now), 3));

    STORE(state, b, h, w, s, now);
    STORE(y, b, h, w, s, 128 + clamp(fixed_shift_right(v, ivec4(8)), ivec4(-128), ivec4(127)));
}
