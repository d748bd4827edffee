// SPDX-License-Identifier: Apache-2.0
// topk_pick.comp - of each block of a row the KEEP elements that fewest come before, in that order, and where they were: at -1 what
// a block has too few elements for. TWO_WORDS: elements are of 64 bits (int64_value.h), 0 where there are too few.

void run(int b, int h, int w, int s)
{
    int block = 4 * s / KEEP, first = block * BLOCK, end = min(first + BLOCK, X_C);
    ivec4 wanted = 4 * s - block * KEEP + ivec4(0, 1, 2, 3), found = ivec4(-1);
#if TWO_WORDS
    VEC v = VEC(0), high = VEC(0);
#else
    VEC v = VEC(-1);
#endif

    for (int i = first; i < end; i += 4) {
        ivec4 order = LOAD(rank, b, h, w, i >> 2);
        VEC element = LOAD(x, b, h, w, i >> 2);
#if TWO_WORDS
        VEC above = LOAD(x, b + X_B / 2, h, w, i >> 2);
#endif

        for (int k = 0; k < 4 && i + k < end; k++) {
            bvec4 here = equal(ivec4(order[k]), wanted);

            v = mix(v, VEC(element[k]), here);
#if TWO_WORDS
            high = mix(high, VEC(above[k]), here);
#endif
            found = mix(found, ivec4(i + k), here);
        }
    }
    STORE(y, b, h, w, s, v);
#if TWO_WORDS
    STORE(y, b + Y_B / 2, h, w, s, high);
#endif
#ifdef PLACES
    STORE(which, b, h, w, s, found);
#endif
}
