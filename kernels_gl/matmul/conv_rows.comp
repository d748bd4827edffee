// SPDX-License-Identifier: Apache-2.0
// conv_rows.comp - direct convolution, PIXELS pixels beside each other times SLICES slices of output channels per invocation: of
// each row and slice of the input it reads the strip that their windows cover once, for all TAPS_W taps. Windows of the pixels
// begin STEP_W apart. Unrolled by macros, as conv.comp; weights as there. EACH_SUM says whose sum each is, F(pixel, slice, sum0,
// start0) ...; ADD_ALL what is added to them, TAKE(tap, weights0) ADD(sum0, v0) ADD(sum2, v1) ... END ... After window_reads.comp.
void run(int b, int row, int column, int group)
{
    int s = group * SLICES, first = column * PIXELS;
    ivec2 corner = ivec2(first * STEP_W - PAD_W, row * STRIDE_H - PAD_H);
    int per_slice = KERNEL_H * TAPS_W * X_S * 4;

#define BEGIN_SLICE(k, weights, start) \
    int weights = min(s + k, Y_S - 1); \
    SUM4 start = AS_SUM(START(weights)); \
    weights = BIASES + weights * per_slice;
    EACH_SLICE(BEGIN_SLICE)
#define BEGIN(p, k, sum, start) SUM4 sum = start;
    EACH_SUM(BEGIN)

    for (int ky = 0; ky < KERNEL_H; ky++)
        for (int z = 0; z < X_S; z++) {
            int i = (ky * TAPS_W * X_S + z) * 4, at = corner.y + ky * DILATION_H;

            PLACE_ROW(at, within, has_row)
            ROWTYPE(x) inputs = ROW(x, b, within, z);
#define READ(n, v, column, has_column) \
    PLACE_COLUMN(corner.x + n, column, has_column) \
    FACTOR4 v = FACTOR(READ_PLACED(inputs, has_row, column, has_column));
            EACH_READ(READ) // columns kept for the next pass would have to be stored and loaded, which takes longer
#define TAKE(tap, weights) \
    { \
        int j = weights + i + tap * X_S * 4; \
        FACTOR4 w0 = FACTOR(WEIGHT_ROW(j, 0)), w1 = FACTOR(WEIGHT_ROW(j, 1)); \
        FACTOR4 w2 = FACTOR(WEIGHT_ROW(j, 2)), w3 = FACTOR(WEIGHT_ROW(j, 3));
#define ADD(sum, v) ADD_TO(sum, MUL(v.x, w0) + MUL(v.y, w1) + MUL(v.z, w2) + MUL(v.w, w3));
#define END }
            ADD_ALL
        }

#define STORE_ONE(p, k, sum, start) \
    if (first + p < Y_W && s + k < Y_S) \
        STORE(y, b, row, first + p, s + k, RESULT(sum, UNIT(s + k), SHIFT(s + k)));
    EACH_SUM(STORE_ONE)
}
