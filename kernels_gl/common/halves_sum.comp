// SPDX-License-Identifier: Apache-2.0
// halves_sum.comp - a sum of what is unpacked from halves, in a loop whose length no compiler knows.
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Sum { highp uint n, first, step; highp float result; };
void main()
{
    SUM4 sum = AS_SUM(unpackHalf2x16(first).xxxx), by = AS_SUM(unpackHalf2x16(step).xxxx);
    for (highp uint i = 0u; i < n; i++)
        ADD_TO(sum, by);
    result = vec4(sum).x;
}
