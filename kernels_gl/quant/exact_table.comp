// SPDX-License-Identifier: Apache-2.0
// exact_table.comp - y = t[x], or t[x, z]: entries of BITS bits, the first in the low bits of a word, four words a vector.
#if REAL
#define RESULT float
#define RESULTS vec4
#else
#define RESULT int
#define RESULTS ivec4
#endif

RESULT entry(int i)
{
#if BITS == 32
    int v = LOADI(t, i >> 2)[i & 3];
#elif BITS == 16
    int v = LOADI(t, i >> 3)[i >> 1 & 3] >> (16 * (i & 1)) << 16;
    v = SIGNED == 1 ? v >> 16 : int(uint(v) >> 16);
#else
    int v = LOADI(t, i >> 4)[i >> 2 & 3] >> (8 * (i & 3)) << 24;
    v = SIGNED == 1 ? v >> 24 : int(uint(v) >> 24);
#endif
#if FLOATS
    return intBitsToFloat(v);
#else
    return RESULT(v);
#endif
}

void run(int b, int h, int w, int s)
{
    ivec4 i = LOADB(x, b, h, w, s) - FIRST;

#if BINARY
    i = i * COUNT_Z + LOADB(z, b, h, w, s) - FIRST_Z;
#endif
    STORE(y, b, h, w, s, RESULTS(entry(i.x), entry(i.y), entry(i.z), entry(i.w)));
}
