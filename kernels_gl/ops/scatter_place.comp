// SPDX-License-Identifier: Apache-2.0
// scatter_place.comp - where rows go: DEPTH numbers of each, which count in dimensions of EXTENT0, EXTENT1 and so on.

#define NOWHERE 0x7fffffff

void coordinate(int i, int extent, inout int row, inout bool inside)
{
    inside = inside && i >= 0 && i < extent;
    row = row * extent + i;
}

// The row of the result, or NOWHERE: indices out of range name none.
int place_of(int r)
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
    return inside ? row : NOWHERE;
}
