// SPDX-License-Identifier: Apache-2.0
// probe_sum.comp - multiply-adds in as many independent vectors as EACH names. Each adds 1 and every number begins with another: so
// the sum counts them, and no compiler leaves one out or computes one for all.
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Sums { highp float sums[]; };
#define BEGIN(v, n) VECTOR v = VECTOR(n, n + 1, n + 2, n + 3) + VECTOR(gl_LocalInvocationIndex & 1u);
#define STEP(v, n) v = v * one + one;
#define ADD(v, n) sum += vec4(v);
#define STEPS EACH(STEP) EACH(STEP) EACH(STEP) EACH(STEP)
void main()
{
    VECTOR one = VECTOR(gl_NumWorkGroups.y);
    highp vec4 sum = vec4(0.0);
    EACH(BEGIN)
    for (highp int i = 0; i < PASSES; i++) { STEPS STEPS }
    EACH(ADD)
    sums[gl_GlobalInvocationID.x] = sum.x + sum.y + sum.z + sum.w;
}
