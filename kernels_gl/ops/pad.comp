// SPDX-License-Identifier: Apache-2.0
// pad.comp - the input within, VALUE around it.

void run(int b, int h, int w, int s)
{
    ivec3 i = ivec3(b, h, w) - ivec3(BEFORE_B, BEFORE_H, BEFORE_W);
    bool within = all(greaterThanEqual(i, ivec3(0))) && all(lessThan(i, ivec3(X_B, X_H, X_W)));
    VEC v = VEC(VALUE);

#ifdef SLICES
    int t = s - BEFORE_C / 4;

    if (within && t >= 0 && t < X_S)
        v = mix(v, LOAD(x, i.x, i.y, i.z, t), lessThan(4 * t + ivec4(0, 1, 2, 3), ivec4(X_C)));
#else
    for (int k = 0; k < 4; k++) {
        int c = 4 * s + k - BEFORE_C;

        if (within && c >= 0 && c < X_C)
            v[k] = LOADC(x, i.x, i.y, i.z, c);
    }
#endif
    STORE(y, b, h, w, s, v);
}
