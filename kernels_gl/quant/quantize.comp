// SPDX-License-Identifier: Apache-2.0
// quantize.comp - a function for QUANTIZE's epilogue. p: scale, zero point, and the limits of the type less the zero point.

// v: the value divided by the scale. Clamped first, so that it fits an int; a NaN becomes the lower limit, as on the CPU.
// Halves are rounded away from zero, which round() leaves open.
ivec4 quantize4(vec4 v, vec4 p)
{
    v = mix(vec4(p.z), v, greaterThan(v, vec4(p.z)));
    v = mix(vec4(p.w), v, lessThan(v, vec4(p.w)));
    ivec4 whole = ivec4(v);
    vec4 rest = v - vec4(whole);

    return whole + ivec4(greaterThanEqual(rest, vec4(0.5))) - ivec4(lessThanEqual(rest, vec4(-0.5))) + ivec4(p.y);
}
