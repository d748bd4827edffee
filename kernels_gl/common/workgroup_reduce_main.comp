// SPDX-License-Identifier: Apache-2.0
// workgroup_reduce_main.comp - a workgroup computes a vector of the output: each lane shares what it folds in its turns, and the
// first one has what all found. After workgroup_reduce.comp.

void main()
{
    READ_UNIFORMS
    int lane = int(gl_LocalInvocationID.x), b = int(gl_WorkGroupID.z) / GRID_S;
    ivec4 at = ivec4(b, int(gl_WorkGroupID.y), int(gl_WorkGroupID.x), int(gl_WorkGroupID.z) - b * GRID_S);

    share(at.x, at.y, at.z, at.w, lane);
    memoryBarrierShared();
    barrier();
    merge_all(lane);
    if (lane == 0)
        finish(at.x, at.y, at.z, at.w);
}
