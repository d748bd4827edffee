// SPDX-License-Identifier: Apache-2.0
// scatter.comp - each row of the result takes the rows of x that go to it, in their order. CONTINUED: after what `before` has of
// those before FIRST. TWO_WORDS: rows are of 64 bits (int64_value.h). SORTED: `at` has pairs of places and rows, sorted, instead of
// indices. After int64_value.comp and scatter_place.comp.

#if TWO_WORDS
#define NUMBER WIDE
#else
#define NUMBER VEC
#endif

void take(inout NUMBER a, int r, int s)
{
#if TWO_WORDS
    WIDE v = WIDE(LOAD(x, 0, 0, r, s), LOAD(x, 1, 0, r, s));
#else
    VEC v = LOAD(x, 0, 0, r, s);
#endif

    a = FOLD(a, v);
}

#if SORTED
// The first pair that is not before this place and row.
int pair_of(int place, int row)
{
    int low = 0, high = AT_W;

    for (; low < high;) {
        int middle = low + (high - low) / 2;
        ivec4 p = LOAD(at, 0, 0, middle, 0);

        if (p.x < place || (p.x == place && p.y < row))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
#endif

void run(int b, int h, int w, int s)
{
#if defined CONTINUED && TWO_WORDS
    WIDE a = WIDE(LOAD(before, 0, 0, w, s), LOAD(before, 1, 0, w, s));
#elif defined CONTINUED
    VEC a = LOAD(before, b, h, w, s);
#elif TWO_WORDS
    WIDE a = WIDE(ivec4(NOTHING), ivec4(0));
#else
    VEC a = VEC(NOTHING);
#endif

#if SORTED
    for (int i = pair_of(w, FIRST); i < AT_W; i++) {
        ivec4 p = LOAD(at, 0, 0, i, 0);

        if (p.x != w || p.y >= END)
            break;
        take(a, p.y, s);
    }
#else
    for (int r = FIRST; r < END; r++)
        if (place_of(r) == w)
            take(a, r, s);
#endif
#if TWO_WORDS
    STORE(y, 0, 0, w, s, a.low);
    STORE(y, 1, 0, w, s, a.high);
#else
    STORE(y, b, h, w, s, a);
#endif
}
