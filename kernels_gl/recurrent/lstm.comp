// SPDX-License-Identifier: Apache-2.0
// lstm.comp - gates holds, one after the other: input gate, new input, forget gate, output gate; all before their activation.

vec4 gate(int i, int b, int h, int w, int s)
{
    vec4 v;

    for (int k = 0; k < 4; k++)
        v[k] = LOADC(gates, b, h, w, i * Y_C + min(4 * s + k, Y_C - 1));
    return v;
}

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
