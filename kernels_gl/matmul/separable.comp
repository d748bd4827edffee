// SPDX-License-Identifier: Apache-2.0
// separable.comp - a depthwise convolution and the product of each pixel's channels behind it: all SLICES slices of output of a
// tile of pixels (depthwise_conv_taps.comp) per invocation, so that a slice between the two is computed once, and stored nowhere.
// Weights: "d" of the depthwise convolution, biases first; "w" of the product, see struct filter in window.h. FUNCTION is
// that of what lies between, `a`.
#define AT(i, k) ((i) * SLICES + (k))

#if HAS_FUNCTION
vec4 between(vec4 a)
{
    PRECISE vec4 r = FUNCTION;
    return KEEP_NAN(r, a);
}
#else
#define between(a) (a)
#endif

void run(int b, int row, int column, int unused)
{
    ivec2 first = ivec2(APART(column, COLUMNS, DILATION_W), APART(row, ROWS, DILATION_H));
    ivec2 corner = first * ivec2(COLUMN_STRIDE, ROW_STRIDE) - ivec2(PAD_W, PAD_H);
    SUM4 result[ROWS * COLUMNS * SLICES];

#define BEGIN_RESULT(i, sum) result[AT(i, K)] = begin;
#define BEGIN_SLICE(k) \
    { \
        const int K = k; \
        SUM4 begin = AS_SUM(START(k)); \
        EACH_PIXEL(BEGIN_RESULT) \
    }
    EACH_SLICE(BEGIN_SLICE)
    EACH_COLUMN(BEGIN_COLUMN)

    for (int s = 0; s < X_S; s++) {
        SUM4 start = AS_SUM(LOADW(d, s));

#define READ_WEIGHT(i, weight) FACTOR4 weight = FACTOR(LOADW(d, X_S + s * (TAPS_H * TAPS_W) + i));
        EACH_TAP(READ_WEIGHT)
#define BEGIN(i, sum) SUM4 sum = start;
        EACH_PIXEL(BEGIN)
        READ_ALL
#define APPLY(i, sum) sum = AS_SUM(between(vec4(sum)));
        EACH_PIXEL(APPLY)

#define MULTIPLY(i, sum) \
    { \
        FACTOR4 v = FACTOR(sum); \
 \
        ADD_TO(result[AT(i, K)], MUL(v.x, w0) + MUL(v.y, w1) + MUL(v.z, w2) + MUL(v.w, w3)); \
    }
#define MULTIPLY_SLICE(k) \
    { \
        const int K = k; \
        int j = BIASES + (k * X_S + s) * 4; \
        FACTOR4 w0 = FACTOR(WEIGHT_ROW(j, 0)), w1 = FACTOR(WEIGHT_ROW(j, 1)); \
        FACTOR4 w2 = FACTOR(WEIGHT_ROW(j, 2)), w3 = FACTOR(WEIGHT_ROW(j, 3)); \
        EACH_PIXEL(MULTIPLY) \
    }
        EACH_SLICE(MULTIPLY_SLICE)
    }

#define STORE_SLICE(k) STORE(y, b, at.y, at.x, k, vec4(result[AT(I, k)]));
#define STORE_ONE(i, sum) \
    { \
        const int I = i; \
        ivec2 at = first + ivec2(i % COLUMNS * DILATION_W, i / COLUMNS * DILATION_H); \
 \
        if (at.x < Y_W && at.y < Y_H) { \
            EACH_SLICE(STORE_SLICE) \
        } \
    }
    EACH_PIXEL(STORE_ONE)
}
