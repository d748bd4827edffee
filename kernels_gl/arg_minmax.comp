// SPDX-License-Identifier: Apache-2.0
// arg_minmax.comp - the index of the first element that none beats. NaN beats nothing, and every number beats NaN.

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

void run(int b, int h, int w, int s)
{
    ivec4 found = ivec4(0);

#if AXIS == 3
    VEC best = VEC(LOADC(x, b, h, w, 0));

    for (int c = 1; c < X_C; c++) {
        VEC v = VEC(LOADC(x, b, h, w, c));
#else
    VEC best = LOAD(x, b, h, w, s);

    for (int c = 1; c < ivec3(X_B, X_H, X_W)[AXIS]; c++) {
        ivec3 i = ivec3(b, h, w);

        i[AXIS] = c;
        VEC v = LOAD(x, i.x, i.y, i.z, s);
#endif
        bvec4 better = beats(v, best);

        best = mix(best, v, better);
        found = mix(found, ivec4(c), better);
    }
    STORE(y, b, h, w, s, found);
}
