// SPDX-License-Identifier: Apache-2.0
// concatenation.comp - finds the part in which a coordinate lies, and reads it there.

#ifdef SLICES
#define SLICE(c) (c)
#else
#define SLICE(c) ((c) >> 2)
#endif

// The slice that holds output element (or slice) o; o becomes its coordinates within its part.
VEC part(inout ivec4 o)
{
    int k = o[AXIS];

#if PARTS > 6
    if (k >= BEGIN6) {
        o[AXIS] = k - BEGIN6;
        return LOAD(x6, o.x, o.y, o.z, SLICE(o.w));
    }
#endif
#if PARTS > 5
    if (k >= BEGIN5) {
        o[AXIS] = k - BEGIN5;
        return LOAD(x5, o.x, o.y, o.z, SLICE(o.w));
    }
#endif
#if PARTS > 4
    if (k >= BEGIN4) {
        o[AXIS] = k - BEGIN4;
        return LOAD(x4, o.x, o.y, o.z, SLICE(o.w));
    }
#endif
#if PARTS > 3
    if (k >= BEGIN3) {
        o[AXIS] = k - BEGIN3;
        return LOAD(x3, o.x, o.y, o.z, SLICE(o.w));
    }
#endif
#if PARTS > 2
    if (k >= BEGIN2) {
        o[AXIS] = k - BEGIN2;
        return LOAD(x2, o.x, o.y, o.z, SLICE(o.w));
    }
#endif
#if PARTS > 1
    if (k >= BEGIN1) {
        o[AXIS] = k - BEGIN1;
        return LOAD(x1, o.x, o.y, o.z, SLICE(o.w));
    }
#endif
    return LOAD(x0, o.x, o.y, o.z, SLICE(o.w));
}

void run(int b, int h, int w, int s)
{
#ifdef SLICES
    ivec4 o = ivec4(b, h, w, s);
    VEC v = part(o);
#else
    VEC v;
    for (int k = 0; k < 4; k++) {
        ivec4 o = ivec4(b, h, w, min(4 * s + k, Y_C - 1));
        VEC all = part(o);
        v[k] = all[o.w & 3];
    }
#endif
    STORE(y, b, h, w, s, v);
}
