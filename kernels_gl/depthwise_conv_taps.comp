// SPDX-License-Identifier: Apache-2.0
// depthwise_conv_taps.comp - ROWS x COLUMNS pixels of a slice of a depthwise convolution, a dilation apart, so that their windows
// meet the same inputs and each of those is loaded once. READ_ALL says of each input which pixels need it, by which tap:
// BEGIN_ROW(0) INPUT(column0, has_column0) ADD(sum0, weight0) ... END INPUT ... END END BEGIN_ROW(1) ... and so on. What lies
// outside is read at the border and then dropped, which takes no branch.
// It adds to the sums of EACH_PIXEL, of slice s, what the weights of EACH_TAP say, after EACH_COLUMN(PLACE_COLUMN). The window of
// the first pixel begins at `corner`.
#if DILATED
#define APART(block, count, dilation) ((block) / (dilation) * ((count) * (dilation)) + (block) % (dilation))
#else
#define APART(block, count, dilation) ((block) * (count))
#endif

#define PLACE_COLUMN(j, column, has_column) \
    int column = corner.x + j * DILATION_W; \
    bool has_column = column == clamp(column, 0, X_W - 1); \
    column = COLUMN(x, clamp(column, 0, X_W - 1));
#define BEGIN_ROW(i) \
    { \
        int at = corner.y + i * DILATION_H, within = clamp(at, 0, X_H - 1); \
        ROWTYPE(x) inputs = ROW(x, b, within, s); \
        bool has_row = at == within;
#define INPUT(column, has_column) \
    { \
        vec4 v = mix(vec4(0.0), COUNTS(LOADR(x, inputs, column)), bvec4(has_row && has_column));
#define ADD(sum, weight) sum += v * weight;
#define END }
