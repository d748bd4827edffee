// SPDX-License-Identifier: Apache-2.0
// probe_copy.comp - four vectors an invocation, those of a group side by side.
layout(local_size_x = 64) in;
layout(std430, binding = 1) writeonly buffer To { highp vec4 to[]; };
void main()
{
    uint i = gl_WorkGroupID.x * 256u + gl_LocalInvocationIndex;
    to[i] = READ(i);
    to[i + 64u] = READ(i + 64u);
    to[i + 128u] = READ(i + 128u);
    to[i + 192u] = READ(i + 192u);
}
