// SPDX-License-Identifier: Apache-2.0
// topk_rank.comp - how many elements of its block come before each of a row, in blocks of BLOCK. INDEXED: what was nowhere, at a
// negative place, comes last. TWO_WORDS: elements are of 64 bits (int64_value.h), those that were nowhere 0.

// Integers in the order of the elements: NaN above all, zeros of both signs alike.
ivec4 keys(VEC v)
{
#if FLOATS
    ivec4 bits = floatBitsToInt(v), size = bits & 0x7fffffff;

    return mix(mix(size, -size, lessThan(bits, ivec4(0))), ivec4(0x7fffffff), greaterThan(size, ivec4(0x7f800000)));
#else
    return v;
#endif
}

// Where elements 4 * s to 4 * s + 3 of the row were.
ivec4 places(int b, int h, int w, int s)
{
#ifdef INDEXED
    ivec4 i = LOAD(at, b, h, w, s);

    return mix(i, ivec4(0x7fffffff), lessThan(i, ivec4(0)));
#else
    return 4 * s + ivec4(0, 1, 2, 3);
#endif
}

ivec4 keys_at(int b, int h, int w, int s)
{
#if TWO_WORDS
    ivec4 key = LOAD(x, b + X_B / 2, h, w, s);
#else
    ivec4 key = keys(LOAD(x, b, h, w, s));
#endif

#ifdef INDEXED
    key = mix(key, ivec4(-0x7fffffff - 1), equal(places(b, h, w, s), ivec4(0x7fffffff)));
#endif
    return key;
}

void run(int b, int h, int w, int s)
{
    int first = 4 * s / BLOCK * BLOCK, end = min(first + BLOCK, X_C);
    ivec4 mine = keys_at(b, h, w, s), my_place = places(b, h, w, s), before = ivec4(0);
#if TWO_WORDS
    ivec4 my_low = LOAD(x, b, h, w, s);
#endif

    for (int i = first; i < end; i += 4) {
        ivec4 key = keys_at(b, h, w, i >> 2), place = places(b, h, w, i >> 2);
#if TWO_WORDS
        ivec4 low = LOAD(x, b, h, w, i >> 2);
#endif

        for (int k = 0; k < 4 && i + k < end; k++) {
            ivec4 larger = ivec4(greaterThan(ivec4(key[k]), mine)), same = ivec4(equal(ivec4(key[k]), mine));

#if TWO_WORDS
            larger += same * ivec4(greaterThan(uvec4(low[k]), uvec4(my_low)));
            same *= ivec4(equal(ivec4(low[k]), my_low));
#endif
            before += larger + same * ivec4(lessThan(ivec4(place[k]), my_place));
        }
    }
    STORE(y, b, h, w, s, before);
}
