// SPDX-License-Identifier: Apache-2.0
// arg_minmax.comp - the index of the first element of a block that none beats. NaN beats nothing, and every number beats NaN.
// Blocks are BLOCK long, PARTS of them along the axis. INDEXED: the elements are the best of such blocks, `at` says which. One
// invocation searches a block, or the LANES of a workgroup take turns (workgroup_reduce_main.comp).

#ifndef LANES
#define LANES 1
#endif

// Which of v beat the best so far.
bvec4 beats(VEC v, VEC best)
{
    bvec4 better = BETTER(v, best);

#if FLOATS
    for (int k = 0; k < 4; k++)
        better[k] = better[k] || (isnan(best[k]) && !isnan(v[k]));
#endif
    return better;
}

// Element c along the axis. Of channels, the results of parts lie along W, so `from` is where those of this line begin.
#if AXIS == 3 && defined INDEXED
#define ELEMENT(c) VEC(LOADC(x, b, h, from + (c), 0))
#define INDEX(c)   ivec4(LOADC(at, b, h, from + (c), 0))
#elif AXIS == 3
#define ELEMENT(c) VEC(LOADC(x, b, h, line, c))
#define INDEX(c)   ivec4(c)
#else
ivec3 along(ivec3 o, int c)
{
    o[AXIS] = c;
    return o;
}
#define ELEMENT(c) LOAD(x, along(o, c).x, along(o, c).y, along(o, c).z, s)
#ifdef INDEXED
#define INDEX(c) LOAD(at, along(o, c).x, along(o, c).y, along(o, c).z, s)
#else
#define INDEX(c) ivec4(c)
#endif
#endif

ivec4 search(int b, int h, int w, int s, int lane, out VEC best)
{
#if AXIS == 3 && defined INDEXED
    int from = w * BLOCK, first = 0, end = BLOCK;
#elif AXIS == 3
    int line = w / PARTS, first = (w - line * PARTS) * BLOCK, end = min(first + BLOCK, X_C);
#else
    ivec3 o = ivec3(b, h, w);
    int first = PARTS == 1 ? 0 : o[AXIS] * BLOCK, end = min(first + BLOCK, ivec3(X_B, X_H, X_W)[AXIS]);
#endif
    first = min(first + lane, end - 1);
    best = ELEMENT(first);
    ivec4 which = INDEX(first);

    for (int c = first + LANES; c < end; c += LANES) {
        VEC v = ELEMENT(c);
        bvec4 better = beats(v, best);

        best = mix(best, v, better);
        which = mix(which, INDEX(c), better);
    }
    return which;
}

void finish(int b, int h, int w, int s, ivec4 which, VEC best)
{
    STORE(y, b, h, w, s, which);
#ifdef PARTIAL
    STORE(found, b, h, w, s, best);
#endif
}

#if LANES > 1
shared VEC best_of[LANES];
shared ivec4 place_of[LANES];

void share(int b, int h, int w, int s, int lane)
{
    VEC best;

    place_of[lane] = search(b, h, w, s, lane, best);
    best_of[lane] = best;
}

// Of equals the first, which either lane may have.
void merge(int lane, int other)
{
    VEC a = best_of[lane], v = best_of[other];
    ivec4 at = place_of[lane], there = place_of[other];
    bvec4 better = beats(v, a), worse = beats(a, v);

    for (int k = 0; k < 4; k++)
        better[k] = better[k] || (!worse[k] && there[k] < at[k]);
    best_of[lane] = mix(a, v, better);
    place_of[lane] = mix(at, there, better);
}

void finish(int b, int h, int w, int s)
{
    finish(b, h, w, s, place_of[0], best_of[0]);
}
#else
void run(int b, int h, int w, int s)
{
    VEC best;
    ivec4 which = search(b, h, w, s, 0, best);

    finish(b, h, w, s, which, best);
}
#endif
