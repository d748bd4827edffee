// SPDX-License-Identifier: Apache-2.0
// probe_read.comp - sixteen vectors an invocation, those of all side by side. What ends up in the buffer depends on each.
layout(local_size_x = 64) in;
layout(std430, binding = 1) writeonly buffer Sums { highp float sums[]; };
void main()
{
    uint n = gl_NumWorkGroups.x * 64u, g = gl_GlobalInvocationID.x;
    highp vec4 sum = vec4(0.0);
    for (uint i = 0u; i < 16u; i++)
        sum += READ(i * n + g);
    sums[g] = sum.x + sum.y + sum.z + sum.w;
}
