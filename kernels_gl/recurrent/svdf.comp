// SPDX-License-Identifier: Apache-2.0
// svdf.comp - the state [batch][filters][memory] of SVDF: what it is one time later, and its sums by the time weights.

#ifdef MOVES
void run(int b, int h, int w, int s)
{
    VEC v;

    for (int k = 0; k < 4; k++)
        v[k] = 4 * s + k + 1 < Y_C ? LOADC(state, b, h, w, 4 * s + k + 1) : LOADC(x, 0, 0, h, w);
    STORE(y, b, h, w, s, v);
}
#else
// In the order of the CPU's reference. Lanes beyond the last output read the last filter. With EXACT, t has the weights of all
// filters of a slice of outputs side by side.
void run(int b, int h, int w, int s)
{
#if BIAS
    PRECISE VEC sum = LOAD(e, 0, 0, 0, s);
#else
    PRECISE VEC sum = VEC(0);
#endif

    for (int r = 0; r < RANK; r++) {
        PRECISE VEC part = VEC(0);

        for (int m = 0; m < MEMORY; m++) {
            VEC v, weights;

            for (int k = 0; k < 4; k++) {
                int filter_of = min((4 * s + k) * RANK + r, STATE_W - 1);

                v[k] = LOADC(state, 0, w, filter_of, m);
#if !EXACT
                weights[k] = LOADC(t, 0, 0, filter_of, m);
#endif
            }
#if EXACT
            weights = LOAD(t, 0, 0, r * MEMORY + m, s);
#endif
            part += weights * v;
        }
        sum += part;
    }
#if EXACT
    sum = ZERO + clamp(fixed_scale(sum, ivec4(MULT), ivec4(SHIFT)), ivec4(-0x10000), ivec4(0x10000));
    sum = clamp(sum, ivec4(-128), ivec4(127));
#endif
    STORE(y, b, h, w, s, sum);
}
#endif
