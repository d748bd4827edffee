// SPDX-License-Identifier: Apache-2.0
// int64_reduce.comp - reduce.comp for numbers of 64 bits. After int64_value.comp.

void run(int b, int h, int w, int s)
{
    WIDE total = WIDE(ivec4(INIT_LOW), ivec4(INIT_HIGH));
    ivec3 from = ivec3(b, h, w) * ivec3(BLOCK_B, BLOCK_H, BLOCK_W);
    ivec3 to = min(from + ivec3(BLOCK_B, BLOCK_H, BLOCK_W), ivec3(X_B / 2, X_H, X_W));

    for (int i = from.x; i < to.x; i++)
        for (int j = from.y; j < to.y; j++)
            for (int k = from.z; k < to.z; k++) {
#ifdef OVER_C
                int last = min((s + 1) * BLOCK_S, X_S);

                for (int t = s * BLOCK_S; t < last; t++) {
                    WIDE v = WIDE(LOAD(x, i, j, k, t), LOAD(x, i + X_B / 2, j, k, t));
                    WIDE nothing = WIDE(ivec4(INIT_LOW), ivec4(INIT_HIGH));

                    v = int64_pick(nothing, v, lessThan(4 * t + ivec4(0, 1, 2, 3), ivec4(X_C)));
                    total = COMBINE(total, v);
                }
#else
                WIDE v = WIDE(LOAD(x, i, j, k, s), LOAD(x, i + X_B / 2, j, k, s));

                total = COMBINE(total, v);
#endif
            }
#ifdef ACROSS
    WIDE other = WIDE(total.low.zwxy, total.high.zwxy), half_way = COMBINE(total, other);

    other = WIDE(half_way.low.yxwz, half_way.high.yxwz);
    total = COMBINE(half_way, other);
#endif
    STORE(y, b, h, w, s, total.low);
    STORE(y, b + Y_B / 2, h, w, s, total.high);
}
