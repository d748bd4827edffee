// SPDX-License-Identifier: Apache-2.0
// matrix_diag.comp - matrices with a given diagonal: zeros beside it, or with INTO what the matrices m have there.

void run(int b, int h, int w, int s)
{
    ivec4 c = 4 * s + ivec4(0, 1, 2, 3);
#ifdef INTO
    VEC v = LOAD(m, b, h, w, s);
    VEC d = VEC(w < DIAGONAL_C ? LOADC(diagonal, b, 0, h, min(w, DIAGONAL_C - 1)) : SCALAR(0));

    v = mix(v, d, equal(c, ivec4(w < DIAGONAL_C ? w : -1)));
#else
    VEC v = mix(VEC(0), LOAD(diagonal, b, 0, h, s), equal(c, ivec4(w)));
#endif
    STORE(y, b, h, w, s, v);
}
