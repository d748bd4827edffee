// SPDX-License-Identifier: Apache-2.0
// gather_nd.comp - rows named by DEPTH coordinates each. One that is out of range reads the nearest.

#define COORDINATE(k, extent) row = row * (extent) + clamp(LOADC(at, 0, 0, w, k), 0, (extent)-1)

void run(int b, int h, int w, int s)
{
    int row = 0;

    COORDINATE(0, EXTENT0);
#if DEPTH > 1
    COORDINATE(1, EXTENT1);
#endif
#if DEPTH > 2
    COORDINATE(2, EXTENT2);
#endif
#if DEPTH > 3
    COORDINATE(3, EXTENT3);
#endif
#if DEPTH > 4
    COORDINATE(4, EXTENT4);
#endif
#if DEPTH > 5
    COORDINATE(5, EXTENT5);
#endif
#if DEPTH > 6
    COORDINATE(6, EXTENT6);
#endif
#if DEPTH > 7
    COORDINATE(7, EXTENT7);
#endif
    STORE(y, b, h, w, s, LOAD(x, 0, row / X_W, row % X_W, s));
}
