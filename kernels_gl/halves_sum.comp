// SPDX-License-Identifier: Apache-2.0
// halves_sum.comp - a sum of what is unpacked from halves, in a loop whose length no compiler knows.
precision mediump float;
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Sum { highp uint n, first, step; highp float result; };
void main()
{
    vec2 sum = unpackHalf2x16(first), by = unpackHalf2x16(step);
    for (highp uint i = 0u; i < n; i++)
        sum += by;
    result = sum.x;
}
