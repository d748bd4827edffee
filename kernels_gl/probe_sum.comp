// SPDX-License-Identifier: Apache-2.0
// probe_sum.comp - operations on eight vectors. What ends up in the buffer depends on each, so none can be left out.
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Sums { float sums[]; };
void main()
{
    highp float s = float(gl_LocalInvocationIndex) * 0.001;
    highp vec4 m = vec4(0.999, 0.998, 0.997, 0.996), k = vec4(s, 0.001, 0.002, 0.003);
    highp vec4 a = k, b = k + 1.0, c = k + 2.0, d = k + 3.0;
    highp vec4 e = k + 4.0, f = k + 5.0, g = k + 6.0, h = k + 7.0;
    for (int i = 0; i < 512; i++) {
        a = a * m + k; b = b * m + k; c = c * m + k; d = d * m + k;
        e = e * m + k; f = f * m + k; g = g * m + k; h = h * m + k;
    }
    sums[gl_LocalInvocationIndex] = dot(a + b + c + d, e + f + g + h);
}
