// SPDX-License-Identifier: Apache-2.0
// conv_lanes.comp - direct convolution of small images: a workgroup computes a pixel of one slice of output channels, its LANES
// invocations taking turns at all passes (filter row, column, slice of input channels), whose weights lie one after the
// other, and at adding up, in PARTS sums. After conv_place.comp.
//
// All lanes add up, each the sum of the lane % PARTS that is stored: Mesa's compiler for the VideoCore of a Raspberry Pi (25.0.7)
// never ends where a variable is set under one condition before a barrier and read under the same one after it.

shared SUM4 sums[LANES];

SUM4 sum_of(int first, int step)
{
    SUM4 sum = AS_SUM(vec4(0.0));

    for (int i = first; i < LANES; i += step)
        ADD_TO(sum, sums[i]);
    return sum;
}

void main()
{
    READ_UNIFORMS
    int lane = int(gl_LocalInvocationID.x), pixel = int(gl_WorkGroupID.y), b = int(gl_WorkGroupID.z) / GRID_S;
    int s = int(gl_WorkGroupID.z) - b * GRID_S, steps = KERNEL_H * KERNEL_W * X_S;
    ivec2 place = PLACE(pixel);
    SUM4 sum = AS_SUM(vec4(0.0));

    for (int i = lane; i < steps; i += LANES) {
        int j = BIASES + ((FILTERS + s) * steps + i) * 4;
#if POINTWISE
        FACTOR4 v = FACTOR(COUNTS(LOAD(x, b, place.y, place.x, i)));
#else
        int tap = i / X_S, row = tap / KERNEL_W;
        ivec2 at = place * ivec2(STRIDE_W, STRIDE_H) - ivec2(PAD_W, PAD_H) +
                   ivec2(tap - row * KERNEL_W, row) * ivec2(DILATION_W, DILATION_H);
        FACTOR4 v = FACTOR(COUNTS(LOADZ(x, b, at.y, at.x, i - tap * X_S)));
#endif

        ADD_TO(sum, MUL(v.x, FACTOR(WEIGHT_ROW(j, 0))) + MUL(v.y, FACTOR(WEIGHT_ROW(j, 1))) +
                        MUL(v.z, FACTOR(WEIGHT_ROW(j, 2))) + MUL(v.w, FACTOR(WEIGHT_ROW(j, 3))));
    }
    sums[lane] = sum;
    memoryBarrierShared();
    barrier();
    sum = sum_of(lane % PARTS, PARTS);
    barrier();
    sums[lane] = sum;
    memoryBarrierShared();
    barrier();
    if (lane == 0) {
        sum = AS_SUM(IS_BIASED ? START(s) : vec4(0.0));
        for (int i = 0; i < PARTS; i++)
            ADD_TO(sum, sums[i]);
        STORE(y, b, place.y, place.x, s, RESULT(sum, UNIT(s), SHIFT(s)));
    }
}
