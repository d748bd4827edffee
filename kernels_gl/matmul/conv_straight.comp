// SPDX-License-Identifier: Apache-2.0
// conv_straight.comp - direct convolution as one straight line: a pixel times SLICES slices of output channels per invocation, all
// STEPS passes (filter row, column, slice of input channels) unrolled. READ_ALL is BEGIN_ROW(0) STEP(0, inputs0, column0,
// has_column0) ... END BEGIN_ROW(1) ... and so on. The weights of a workgroup, whose invocations compute the same slices, lie in
// shared memory at literal addresses, which some devices read once for all lanes if nothing branches before. So only the staging
// loops, lanes beyond the image compute the last pixel, and the stores alone are guarded. CHANNELS names the macro for as many
// channels as the vectors of the input have.
// After conv_place.comp and window_reads.comp.
#define PER_STEP (4 * SLICES)

shared FACTOR4 weights[STEPS * PER_STEP];

void main()
{
    READ_UNIFORMS
    int lane = int(gl_LocalInvocationID.x), z = int(gl_WorkGroupID.z), b = z / GRID_S, s = (z - b * GRID_S) * SLICES;

    for (int i = lane; i < STEPS * PER_STEP; i += LANES)
        weights[i] = FACTOR(WEIGHT(BIASES + (FILTERS + min(s + i % SLICES, Y_S - 1)) * (4 * STEPS) + i / SLICES));
    memoryBarrierShared();
    barrier();

    int pixel = int(gl_GlobalInvocationID.x);
    ivec2 place = PLACE(min(pixel, Y_H * Y_W - 1));

#define BEGIN(k, sum) SUM4 sum = AS_SUM(IS_BIASED ? START(min(s + k, Y_S - 1)) : vec4(0.0));
    EACH_SLICE(BEGIN)

#define CHANNELS_1(k) MUL(v.x, weights[I + k])
#define CHANNELS_2(k) CHANNELS_1(k) + MUL(v.y, weights[I + SLICES + k])
#define CHANNELS_3(k) CHANNELS_2(k) + MUL(v.z, weights[I + 2 * SLICES + k])
#define CHANNELS_4(k) CHANNELS_3(k) + MUL(v.w, weights[I + 3 * SLICES + k])
#define ADD(k, sum) ADD_TO(sum, CHANNELS(k));
#if POINTWISE
    int column = COLUMN(x, place.x);
#define BEGIN_ROW(i) {
#define READ(i, inputs, column_of, has_column) COUNTS(LOADR(x, ROW(x, b, place.y, i), column))
#else
    ivec2 corner = place * ivec2(STRIDE_W, STRIDE_H) - ivec2(PAD_W, PAD_H);
#define BEGIN_COLUMN(j, column, has_column) PLACE_COLUMN(corner.x + j * DILATION_W, column, has_column)
    EACH_COLUMN(BEGIN_COLUMN)
#define BEGIN_INPUT(slice, inputs) ROWTYPE(x) inputs = ROW(x, b, row, slice);
#define BEGIN_ROW(i) \
    { \
        int at = corner.y + i * DILATION_H; \
        PLACE_ROW(at, row, has_row) \
        EACH_INPUT(BEGIN_INPUT)
#define READ(i, inputs, column, has_column) READ_PLACED(inputs, has_row, column, has_column)
#endif
#define STEP(i, inputs, column, has_column) \
    { \
        const int I = i * PER_STEP; \
        FACTOR4 v = FACTOR(READ(i, inputs, column, has_column)); \
        EACH_SLICE(ADD) \
    }
#define END }
    READ_ALL

#define STORE_ONE(k, sum) \
    if (s + k < Y_S) \
        STORE(y, b, place.y, place.x, s + k, RESULT(sum, UNIT(s + k), SHIFT(s + k)));
    if (pixel < Y_H * Y_W) {
        EACH_SLICE(STORE_ONE)
    }
}
