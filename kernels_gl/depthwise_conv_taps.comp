// SPDX-License-Identifier: Apache-2.0
// depthwise_conv_taps.comp - ROWS x COLUMNS pixels of a slice of a depthwise convolution, a dilation apart, so that their windows
// meet the same inputs and each of those is loaded once. READ_ALL says of each input which pixels need it, by which tap: INPUT(row,
// column) ADD(pixel, tap) ... END. What lies outside is read at the border and then dropped, which takes no branch.
// Adds to sum[ROWS * COLUMNS] of slice s what weight[TAPS_H * TAPS_W] say, the window of the first pixel beginning at `corner`.
#if DILATED
#define APART(block, count, dilation) ((block) / (dilation) * ((count) * (dilation)) + (block) % (dilation))
#else
#define APART(block, count, dilation) ((block) * (count))
#endif

#define INPUT(i, j) \
    { \
        ivec2 at = corner + ivec2(j * DILATION_W, i * DILATION_H), within = clamp(at, ivec2(0), ivec2(X_W - 1, X_H - 1)); \
        vec4 v = mix(vec4(0.0), COUNTS(LOAD(x, b, within.y, within.x, s)), bvec4(at == within));
#define ADD(pixel, tap) sum[pixel] += v * weight[tap];
#define END }
