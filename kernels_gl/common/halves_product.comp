// SPDX-License-Identifier: Apache-2.0
// halves_product.comp - sums of products with 16-bit floats, as kernels have them (lib/gl/device/half_types.h), and functions of
// elements in the precision that floats are declared to have, as maps have them.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Products { highp uint n, odd; highp uvec2 x[16], w[16]; highp vec4 sums[64], mapped[64]; };
vec4 load(highp uvec2 t) { return vec4(unpackHalf2x16(t.x), unpackHalf2x16(t.y)); }
void main()
{
    highp uint i = gl_LocalInvocationIndex;
    SUM4 sum = AS_SUM(vec4(0.0));
    for (highp uint k = 0u; k < n; k++)
        ADD_TO(sum, MUL(FACTOR(load(x[k])), FACTOR(load(w[k + i & 15u]).yzwx)));
    sums[i] = vec4(sum);
    vec4 a = load(x[i & 15u]), b = load(w[i >> 2]);
    mapped[i] = max(clamp(a * b, -60.0, 60.0), min(a, b)) - abs(b) + floor(0.5 * a);
}
