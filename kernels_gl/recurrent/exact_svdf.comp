// SPDX-License-Identifier: Apache-2.0
// exact_svdf.comp - sums of the state [batch][filters][memory] by the time weights, RANK filters to an output, and the output of
// them. w: biases of each slice of outputs, then its weights, a vector for each filter and time. Lanes beyond the last output read
// the last filter.

void run(int b, int h, int w, int s)
{
    ivec4 sum = LOADI(w, s);
    int at = Y_S + s * RANK * MEMORY;

    for (int r = 0; r < RANK; r++)
        for (int m = 0; m < MEMORY; m++) {
            ivec4 v;

            for (int k = 0; k < 4; k++)
                v[k] = LOADC(state, 0, w, min((4 * s + k) * RANK + r, STATE_W - 1), m);
            sum += LOADI(w, at + r * MEMORY + m) * v;
        }
    ivec4 scaled = clamp(fixed_scale(sum, ivec4(MULT), ivec4(SHIFT)), ivec4(-0x10000), ivec4(0x10000));

    STORE(y, b, h, w, s, clamp(scaled + ZERO, ivec4(-128), ivec4(127)));
}
