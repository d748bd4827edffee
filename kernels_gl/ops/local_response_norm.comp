// SPDX-License-Identifier: Apache-2.0
// local_response_norm.comp - BIAS plus ALPHA times the sum of the squares of the channels from RADIUS before each to RADIUS - 1
// behind it, as far as there are any.

void run(int b, int h, int w, int s)
{
    vec4 sum = vec4(0.0);

    for (int k = 0; k < 4; k++) {
        int c = min(4 * s + k, X_C - 1);
        int end = min(c + RADIUS, X_C);

        for (int i = max(c - RADIUS, 0); i < end; i++) {
            float v = LOADC(x, b, h, w, i);

            sum[k] += v * v;
        }
    }
    STORE(y, b, h, w, s, BIAS + ALPHA * sum);
}
