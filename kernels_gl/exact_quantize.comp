// SPDX-License-Identifier: Apache-2.0
// exact_quantize.comp - LEAST plus the number of the last entry of t that is not above x, of COUNT. A quotient that may be rounded
// one way or the other tells where to look.

float from(int i)
{
    return intBitsToFloat(LOADI(t, i >> 2)[i & 3]);
}

int quantize(float x)
{
    float near = x / SCALE + ZERO - float(LEAST) + 0.5;
    int i = near > 0.0 ? int(min(near, float(COUNT - 1))) : 0; // a NaN is not

    if (x < from(i))
        i--;
    else if (i + 1 < COUNT && x >= from(i + 1))
        i++;
    return i + LEAST;
}

void run(int b, int h, int w, int s)
{
    vec4 v = LOAD(x, b, h, w, s);

    STORE(y, b, h, w, s, ivec4(quantize(v.x), quantize(v.y), quantize(v.z), quantize(v.w)));
}
