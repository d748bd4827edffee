// SPDX-License-Identifier: Apache-2.0
// int64_cumsum.comp - cumsum.comp for numbers of 64 bits. After int64_value.comp.

// The sum that stands at v; total becomes the next one's.
WIDE advance(inout WIDE total, WIDE v)
{
    WIDE before = total;

    total = int64_sum(total, v);
#if EXCLUSIVE == 1
    return before;
#else
    return total;
#endif
}

void run(int b, int h, int w, int s)
{
    ivec4 o = ivec4(b, h, w, s);
    int first = o[AXIS] * BLOCK;
    int n = min(BLOCK, ivec4(X_B / 2, X_H, X_W, X_S)[AXIS] - first);
    WIDE total = WIDE(ivec4(0), ivec4(0));

#ifdef CONTINUED
    total = WIDE(LOAD(before, b, h, w, s), LOAD(before, b + BEFORE_B / 2, h, w, s));
#if AXIS == 3
    total = WIDE(ivec4(total.low[REVERSE == 1 ? 3 : 0]), ivec4(total.high[REVERSE == 1 ? 3 : 0]));
#endif
#endif
    for (int i = 0; i < n; i++) {
        o[AXIS] = first + (REVERSE == 1 ? n - 1 - i : i);
        WIDE v = WIDE(LOAD(x, o.x, o.y, o.z, o.w), LOAD(x, o.x + X_B / 2, o.y, o.z, o.w));

#if AXIS == 3
        for (int k = 0; k < 4; k++) {
            int c = REVERSE == 1 ? 3 - k : k;
            WIDE sum = advance(total, WIDE(ivec4(v.low[c]), ivec4(v.high[c])));

            v.low[c] = sum.low.x;
            v.high[c] = sum.high.x;
        }
#else
        v = advance(total, v);
#endif
        STORE(y, o.x, o.y, o.z, o.w, v.low);
        STORE(y, o.x + Y_B / 2, o.y, o.z, o.w, v.high);
    }
}
