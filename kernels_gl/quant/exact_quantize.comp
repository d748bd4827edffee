// SPDX-License-Identifier: Apache-2.0
// exact_quantize.comp - LEAST plus the number of the last entry of t that is not above x, of COUNT behind the four numbers of its
// channel, scale and zero point first. A quotient that may be rounded one way or the other tells where to look.

float number(int channel, int i)
{
    int at = channel * (COUNT + 4) + i;

    return intBitsToFloat(LOADI(t, at >> 2)[at & 3]);
}

int quantize(float x, int channel)
{
    float near = x / number(channel, 0) + number(channel, 1) - float(LEAST) + 0.5;
    int i = near > 0.0 ? int(min(near, float(COUNT - 1))) : 0; // a NaN is not

    if (x < number(channel, 4 + i))
        i--;
    else if (i + 1 < COUNT && x >= number(channel, 5 + i))
        i++;
    return i + LEAST;
}

void run(int b, int h, int w, int s)
{
    vec4 v = LOAD(x, b, h, w, s);
#if AXIS == 3
    ivec4 k = min(4 * s + ivec4(0, 1, 2, 3), ivec4(CHANNELS - 1));
#else
    ivec4 k = ivec4(AXIS == 0 ? b : AXIS == 1 ? h : AXIS == 2 ? w : 0);
#endif

    STORE(y, b, h, w, s, ivec4(quantize(v.x, k.x), quantize(v.y, k.y), quantize(v.z, k.z), quantize(v.w, k.w)));
}
