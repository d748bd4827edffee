// SPDX-License-Identifier: Apache-2.0
// scatter.comp - each row of the result takes the rows of x that go to it, in their order. CONTINUED: after what `before` has of
// those before FIRST. Indices out of range name no row.

void coordinate(int i, int extent, inout int row, inout bool inside)
{
    inside = inside && i >= 0 && i < extent;
    row = row * extent + i;
}

bool goes_to(int r, int place)
{
    bool inside = true;
    int row = 0;

#if DEPTH > 0
    coordinate(LOADC(at, 0, 0, r, 0), EXTENT0, row, inside);
#endif
#if DEPTH > 1
    coordinate(LOADC(at, 0, 0, r, 1), EXTENT1, row, inside);
#endif
#if DEPTH > 2
    coordinate(LOADC(at, 0, 0, r, 2), EXTENT2, row, inside);
#endif
#if DEPTH > 3
    coordinate(LOADC(at, 0, 0, r, 3), EXTENT3, row, inside);
#endif
#if DEPTH > 4
    coordinate(LOADC(at, 0, 0, r, 4), EXTENT4, row, inside);
#endif
#if DEPTH > 5
    coordinate(LOADC(at, 0, 0, r, 5), EXTENT5, row, inside);
#endif
#if DEPTH > 6
    coordinate(LOADC(at, 0, 0, r, 6), EXTENT6, row, inside);
#endif
#if DEPTH > 7
    coordinate(LOADC(at, 0, 0, r, 7), EXTENT7, row, inside);
#endif
    return inside && row == place;
}

void run(int b, int h, int w, int s)
{
#ifdef CONTINUED
    VEC a = LOAD(before, b, h, w, s);
#else
    VEC a = VEC(NOTHING);
#endif

    for (int r = FIRST; r < END; r++)
        if (goes_to(r, w)) {
            VEC v = LOAD(x, 0, 0, r, s);

            a = FOLD(a, v);
        }
    STORE(y, b, h, w, s, a);
}
