// SPDX-License-Identifier: Apache-2.0
// suppression_end.comp - what stands behind the last box that is chosen.

// How many were chosen of a class, and nothing in the rest.
void finish(int column, int n)
{
    STORE(chosen, 0, column, MOST, 0, ivec4(n));
    for (; n < MOST; n++) {
        STORE(chosen, 0, column, n, 0, ivec4(NOTHING));
        STORE(scores_of, 0, column, n, 0, vec4(NOTHING == 0 ? 0.0 : NONE));
    }
}
