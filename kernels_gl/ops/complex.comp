// SPDX-License-Identifier: Apache-2.0
// complex.comp - magnitudes of complex numbers, none of whose squares leaves the range of floats.

float complex_abs1(float re, float im)
{
    float a = abs(re), b = abs(im), high = max(a, b), low = min(a, b), part;

    if (floatBitsToUint(a) == 0x7f800000u || floatBitsToUint(b) == 0x7f800000u)
        return uintBitsToFloat(0x7f800000u); // whatever the other part is, NaN too
    if (floatBitsToUint(a) > 0x7f800000u || floatBitsToUint(b) > 0x7f800000u)
        return uintBitsToFloat(0x7fc00000u);
    if (high == 0.0)
        return 0.0;
    part = low / high;
    return high * sqrt(1.0 + part * part);
}

vec4 complex_abs4(vec4 re, vec4 im)
{
    return vec4(complex_abs1(re.x, im.x), complex_abs1(re.y, im.y), complex_abs1(re.z, im.z), complex_abs1(re.w, im.w));
}
