// SPDX-License-Identifier: Apache-2.0
// strided.comp - element o of the output, counted densely, is element source(o) of the input. AXIS0 is the innermost of AXES axes.
// SLICES: not elements are counted but pixels, and slices stay slices.

#define STEP(extent, step)   q += o % (extent) * (step), o /= (extent)
#define PICK(extent, offset) q += LOADI(t, (offset) + o % (extent)).x, o /= (extent)

int source(int o)
{
    int q = BEGIN;

#if AXES > 0
    AXIS0;
#endif
#if AXES > 1
    AXIS1;
#endif
#if AXES > 2
    AXIS2;
#endif
#if AXES > 3
    AXIS3;
#endif
#if AXES > 4
    AXIS4;
#endif
#if AXES > 5
    AXIS5;
#endif
#if AXES > 6
    AXIS6;
#endif
#if AXES > 7
    AXIS7;
#endif
    return q;
}

void run(int b, int h, int w, int s)
{
    int pixel = (b * Y_H + h) * Y_W + w;
#ifdef SLICES
    int p = source(pixel);

    STORE(y, b, h, w, s, LOAD(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, s + FIRST_SLICE));
#else
    VEC v;

    for (int k = 0; k < 4; k++) {
        int i = source(pixel * Y_C + min(4 * s + k, Y_C - 1)), p = i / X_C;

        v[k] = LOADC(x, p / (X_W * X_H), p / X_W % X_H, p % X_W, i - p * X_C);
    }
    STORE(y, b, h, w, s, v);
#endif
}
