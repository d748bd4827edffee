// SPDX-License-Identifier: Apache-2.0
// conv_rows.comp - direct convolution, PIXELS pixels beside each other times SLICES slices of output channels per invocation: of
// each row and slice of the input it reads the strip that their windows cover once, for all TAPS_W taps. Windows of the pixels
// begin STEP_W apart. Unrolled by macros, as conv.comp; weights as there. EACH_SUM says whose sum each is, F(pixel, slice, sum0,
// start0) ...; ADD_ALL what is added to them, TAKE(tap, filter0) ADD(sum0, v0) ADD(sum2, v1) ... END ...
void run(int b, int row, int column, int group)
{
    int s = group * SLICES, first = column * PIXELS;
    ivec2 corner = ivec2(first * STEP_W - PAD_W, row * STRIDE_H - PAD_H);
    int per_slice = KERNEL_H * TAPS_W * X_S * 4;

#define BEGIN_SLICE(k, filter, start) \
    int filter = min(s + k, Y_S - 1); \
    vec4 start = START(filter); \
    filter = BIASES + filter * per_slice;
    EACH_SLICE(BEGIN_SLICE)
#define BEGIN(p, k, sum, start) vec4 sum = start;
    EACH_SUM(BEGIN)
#define PLACE_COLUMN(n, v, column, has_column) \
    vec4 v; \
    int column = corner.x + n; \
    bool has_column = column == clamp(column, 0, X_W - 1); \
    column = COLUMN(x, clamp(column, 0, X_W - 1));

    for (int ky = 0; ky < KERNEL_H; ky++)
        for (int z = 0; z < X_S; z++) {
            int i = (ky * TAPS_W * X_S + z) * 4, at = corner.y + ky * DILATION_H, within = clamp(at, 0, X_H - 1);
            ROWTYPE(x) inputs = ROW(x, b, within, z);
            bool has_row = at == within;

#define READ(n, v, column, has_column) v = mix(vec4(0.0), COUNTS(LOADR(x, inputs, column)), bvec4(has_row && has_column));
            EACH_READ(PLACE_COLUMN) // kept for the next pass they would have to be stored and loaded, which takes longer
            EACH_READ(READ)
#define TAKE(tap, filter) \
    { \
        int j = filter + i + tap * X_S * 4; \
        vec4 w0 = WEIGHT(j), w1 = WEIGHT(j + 1), w2 = WEIGHT(j + 2), w3 = WEIGHT(j + 3);
#define ADD(sum, v) sum += v.x * w0 + v.y * w1 + v.z * w2 + v.w * w3;
#define END }
            ADD_ALL
        }

#define STORE_ONE(p, k, sum, start) \
    if (first + p < Y_W && s + k < Y_S) \
        STORE(y, b, row, first + p, s + k, RESULT(sum, UNIT(s + k), SHIFT(s + k)));
    EACH_SUM(STORE_ONE)
}
