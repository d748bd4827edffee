// SPDX-License-Identifier: Apache-2.0
// reduce.comp - folds the elements along the reduced axes into one. Their coordinates in y are 0.

void run(int b, int h, int w, int s)
{
    PRECISE VEC total = VEC(INIT); // or a compiler makes max() of a comparison and a choice

    for (int i = 0; i < COUNT_B; i++)
        for (int j = 0; j < COUNT_H; j++)
            for (int k = 0; k < COUNT_W; k++) {
#ifdef OVER_C
                for (int t = 0; t < X_S; t++) {
                    VEC v = LOAD(x, b + i, h + j, w + k, t);

                    v = mix(VEC(INIT), v, lessThan(4 * t + ivec4(0, 1, 2, 3), ivec4(X_C)));
                    total = COMBINE(total, v);
                }
#else
                VEC v = LOAD(x, b + i, h + j, w + k, s);

                total = COMBINE(total, v);
#endif
            }
#ifdef OVER_C
    PRECISE VEC half_way = COMBINE(total, total.zwxy);

    total = COMBINE(half_way, half_way.yxwz);
#endif
#ifdef MEAN
    int count = COUNT_B * COUNT_H * COUNT_W;

#ifdef OVER_C
    count *= X_C;
#endif
    total /= VEC(count);
#endif
    STORE(y, b, h, w, s, total);
}
