// SPDX-License-Identifier: Apache-2.0
// depthwise_conv_taps.comp - ROWS x COLUMNS pixels of a slice of a depthwise convolution, a dilation apart, so that their windows
// meet the same inputs and each of those is loaded once. READ_ALL says of each input which pixels need it, by which tap:
// BEGIN_ROW(0) INPUT(column0, has_column0) ADD(sum0, weight0) ... END INPUT ... END END BEGIN_ROW(1) ... and so on.
// It adds to the sums of EACH_PIXEL, of slice s, what the weights of EACH_TAP say, after EACH_COLUMN(BEGIN_COLUMN). The window of
// the first pixel begins at `corner`. After window_reads.comp.
#if DILATED
#define APART(block, count, dilation) ((block) / (dilation) * ((count) * (dilation)) + (block) % (dilation))
#else
#define APART(block, count, dilation) ((block) * (count))
#endif

#define BEGIN_COLUMN(j, column, has_column) PLACE_COLUMN(corner.x + j * DILATION_W, column, has_column)
#define BEGIN_ROW(i) \
    { \
        int at = corner.y + i * DILATION_H; \
        PLACE_ROW(at, within, has_row) \
        ROWTYPE(x) inputs = ROW(x, b, within, s);
#define INPUT(column, has_column) \
    { \
        FACTOR4 v = FACTOR(READ_PLACED(inputs, has_row, column, has_column));
#define ADD(sum, weight) ADD_TO(sum, MUL(v, weight));
#define END }
