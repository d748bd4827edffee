// SPDX-License-Identifier: Apache-2.0
// requantize.comp - sums of integers to the steps of a tensor, with TensorFlow Lite's roundings. p: the output's scale, what makes
// integers of `a`, and the limits of the type less the zero point; m: the output's steps in one of the sum.

vec4 away4(vec4 v)
{
    return sign(v) * floor(abs(v) + 0.5);
}

// Twice: to 2^-e of a step, where m = 2^-e * [0.5, 1) is below 1, halves up; then to whole steps, halves away from zero.
vec4 requantize4(vec4 a, vec4 m, vec4 p)
{
    ivec4 e = max(126 - (floatBitsToInt(m) >> 23 & 255), 0);
    vec4 fine = intBitsToFloat(127 + min(e, 100) << 23);
    PRECISE vec4 v = floor(floor(a * p.y + 0.5) * (m * fine) + 0.5);

    return clamp(away4(v / fine), vec4(p.z), vec4(p.w)) * p.x;
}
