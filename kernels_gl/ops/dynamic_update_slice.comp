// SPDX-License-Identifier: Apache-2.0
// dynamic_update_slice.comp - x with `part` in it. Starts that would leave x are moved inside. B, W and C are an axis each, H is
// ROWS axes, the innermost being number 0.

// Where the part begins along an axis.
int from(int axis, int whole, int length)
{
    return clamp(LOADC(start, 0, 0, 0, axis), 0, whole - length);
}

// How far rows of the part have been counted: axes that are still to come, elements of one step along them, the row so far.
struct counted {
    int rest, below, row;
    bool inside;
};

void count(inout counted r, int axis, int whole, int length)
{
    int i = r.rest % whole - from(axis, whole, length);

    r.inside = r.inside && i >= 0 && i < length;
    r.row += i * r.below;
    r.below *= length;
    r.rest /= whole;
}

void run(int b, int h, int w, int s)
{
    int image = b - from(IMAGE0_AXIS, IMAGE0_WHOLE, IMAGE0_PART), pixel = w - from(PIXEL0_AXIS, PIXEL0_WHOLE, PIXEL0_PART);
    counted r = counted(h, 1, 0, image >= 0 && image < IMAGE0_PART && pixel >= 0 && pixel < PIXEL0_PART);
    VEC v = LOAD(x, b, h, w, s);

#if ROWS > 0
    count(r, ROW0_AXIS, ROW0_WHOLE, ROW0_PART);
#endif
#if ROWS > 1
    count(r, ROW1_AXIS, ROW1_WHOLE, ROW1_PART);
#endif
#if ROWS > 2
    count(r, ROW2_AXIS, ROW2_WHOLE, ROW2_PART);
#endif
#if ROWS > 3
    count(r, ROW3_AXIS, ROW3_WHOLE, ROW3_PART);
#endif
#if ROWS > 4
    count(r, ROW4_AXIS, ROW4_WHOLE, ROW4_PART);
#endif
#if WHOLE_CHANNELS
    if (r.inside)
        v = LOAD(part, image, r.row, pixel, s);
#else
    for (int k = 0; k < 4; k++) {
        int c = 4 * s + k - from(CHANNEL0_AXIS, CHANNEL0_WHOLE, CHANNEL0_PART);

        if (r.inside && c >= 0 && c < CHANNEL0_PART)
            v[k] = LOADC(part, image, r.row, pixel, c);
    }
#endif
    STORE(y, b, h, w, s, v);
}
