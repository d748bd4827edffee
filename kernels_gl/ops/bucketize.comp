// SPDX-License-Identifier: Apache-2.0
// bucketize.comp - how many of N boundaries, which ascend, are not above each element. NaN is above all.

void run(int b, int h, int w, int s)
{
    vec4 v = vec4(LOAD(x, b, h, w, s));
    ivec4 n = ivec4(0);

    for (int i = 0; i < (N + 3) / 4; i++) {
        vec4 at = intBitsToFloat(LOADI(boundaries, i));

        for (int k = 0; k < 4; k++)
            n += ivec4(not(lessThan(v, vec4(at[k]))));
    }
    STORE(y, b, h, w, s, min(n, ivec4(N)));
}
