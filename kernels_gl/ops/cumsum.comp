// SPDX-License-Identifier: Apache-2.0
// cumsum.comp - one invocation walks along a block of a line. CONTINUED: from the sum of the blocks before.

#if AXIS == 3
#define TOTAL SCALAR
#else
#define TOTAL VEC
#endif

// The sum that stands at v; total becomes the next one's.
TOTAL advance(inout TOTAL total, TOTAL v)
{
    TOTAL before = total;

    total += v;
    return EXCLUSIVE == 1 ? before : total;
}

void run(int b, int h, int w, int s)
{
    ivec4 o = ivec4(b, h, w, s);
    int first = o[AXIS] * BLOCK;
    int n = min(BLOCK, ivec4(X_B, X_H, X_W, X_S)[AXIS] - first);
    TOTAL total = TOTAL(0);

#if defined CONTINUED && AXIS == 3
    total = LOAD(before, b, h, w, s)[REVERSE == 1 ? 3 : 0];
#elif defined CONTINUED
    total = LOAD(before, b, h, w, s);
#endif
    for (int i = 0; i < n; i++) {
        o[AXIS] = first + (REVERSE == 1 ? n - 1 - i : i);
        VEC v = LOAD(x, o.x, o.y, o.z, o.w);

#if AXIS == 3
        for (int k = 0; k < 4; k++) {
            int c = REVERSE == 1 ? 3 - k : k;

            v[c] = advance(total, v[c]);
        }
#else
        v = advance(total, v);
#endif
        STORE(y, o.x, o.y, o.z, o.w, v);
    }
}
