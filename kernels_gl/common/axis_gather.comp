// SPDX-License-Identifier: Apache-2.0
// axis_gather.comp - each element comes from the input coordinates that its own coordinates name, axis by axis.

#ifdef TABLE
ivec4 source(ivec4 o)
{
    return ivec4(LOADI(t, o.x).x, LOADI(t, o.y).y, LOADI(t, o.z).z, LOADI(t, o.w).w);
}
#else
ivec4 source(ivec4 o)
{
    return ivec4(BEGIN_B, BEGIN_H, BEGIN_W, BEGIN_C) + o * ivec4(STEP_B, STEP_H, STEP_W, STEP_C);
}
#endif

#if defined SLICES
void run(int b, int h, int w, int s)
{
    ivec4 i = source(ivec4(b, h, w, s));

    STORE(y, b, h, w, s, LOAD(x, i.FROM_B, i.FROM_H, i.FROM_W, i.FROM_C));
}
#elif defined BLOCKS
// The input's channels lie along axis BLOCKS of the output.
void run(int b, int h, int w, int s)
{
    ivec4 o = ivec4(b, h, w, s);
    VEC v[4];

    o[BLOCKS] *= 4;
    for (int k = 0; k < 4; k++) {
        ivec4 i = source(ivec4(o.xyz, min(4 * s + k, Y_C - 1)));

        v[k] = LOAD(x, i.FROM_B, i.FROM_H, i.FROM_W, i.FROM_C >> 2);
    }
    for (int k = 0; k < 4 && o[BLOCKS] < LENGTH; k++) {
        STORE(y, o.x, o.y, o.z, s, VEC(v[0][k], v[1][k], v[2][k], v[3][k]));
        o[BLOCKS]++;
    }
}
#else
void run(int b, int h, int w, int s)
{
    VEC v;

    for (int k = 0; k < 4; k++) {
        ivec4 i = source(ivec4(b, h, w, min(4 * s + k, Y_C - 1)));

        v[k] = LOADC(x, i.FROM_B, i.FROM_H, i.FROM_W, i.FROM_C);
    }
    STORE(y, b, h, w, s, v);
}
#endif
