// SPDX-License-Identifier: Apache-2.0
// svdf.comp - the state [batch][filters][memory] of SVDF: what it is one time later, and its sums by the time weights.

#ifdef SHIFT
void run(int b, int h, int w, int s)
{
    VEC v;

    for (int k = 0; k < 4; k++)
        v[k] = 4 * s + k + 1 < Y_C ? LOADC(state, b, h, w, 4 * s + k + 1) : LOADC(x, 0, 0, h, w);
    STORE(y, b, h, w, s, v);
}
#else
// In the order of the CPU's reference. Lanes beyond the last output read the last filter.
void run(int b, int h, int w, int s)
{
#if BIAS
    PRECISE vec4 sum = LOAD(e, 0, 0, 0, s);
#else
    PRECISE vec4 sum = vec4(0.0);
#endif

    for (int r = 0; r < RANK; r++) {
        PRECISE vec4 part = vec4(0.0);

        for (int m = 0; m < MEMORY; m++) {
            vec4 v, weights;

            for (int k = 0; k < 4; k++) {
                int filter_of = min((4 * s + k) * RANK + r, STATE_W - 1);

                v[k] = LOADC(state, 0, w, filter_of, m);
                weights[k] = LOADC(t, 0, 0, filter_of, m);
            }
            part += weights * v;
        }
        sum += part;
    }
    STORE(y, b, h, w, s, sum);
}
#endif
