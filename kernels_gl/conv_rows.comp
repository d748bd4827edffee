// SPDX-License-Identifier: Apache-2.0
// conv_rows.comp - direct convolution, PIXELS pixels beside each other times SLICES slices of output channels per invocation: of
// each row and slice of the input it reads the strip that their windows cover once, READS vectors, for all TAPS_W taps.
// Windows of the pixels begin STEP_W apart, taps are GAP_W apart. Unrolled by macros, as conv.comp; weights as there.
#define AT(p, k) ((p) * SLICES + (k))

void run(int b, int row, int column, int group)
{
    int s = group * SLICES, first = column * PIXELS;
    ivec2 corner = ivec2(first * STEP_W - PAD_W, row * STRIDE_H - PAD_H);
    int per_slice = KERNEL_H * TAPS_W * X_S * 4;
    int filter_of[SLICES];
    vec4 sum[PIXELS * SLICES], v[READS];

#define BEGIN_SUM(p) sum[AT(p, K)] = start;
#define BEGIN_SLICE(k) \
    { \
        int slice = min(s + k, Y_S - 1); \
        vec4 start = START(slice); \
        const int K = k; \
 \
        filter_of[k] = BIASES + slice * per_slice; \
        EACH_PIXEL(BEGIN_SUM) \
    }
    EACH_SLICE(BEGIN_SLICE)

    for (int ky = 0; ky < KERNEL_H; ky++)
        for (int z = 0; z < X_S; z++) {
            int i = (ky * TAPS_W * X_S + z) * 4, y_in = corner.y + ky * DILATION_H;

#define READ(n) v[n] = COUNTS(LOADZ(x, b, y_in, corner.x + n, z));
            EACH_READ(READ)

#define ADD(p) \
    sum[AT(p, K)] += v[(p) * STEP_W + T * GAP_W].x * w0 + v[(p) * STEP_W + T * GAP_W].y * w1 + \
                     v[(p) * STEP_W + T * GAP_W].z * w2 + v[(p) * STEP_W + T * GAP_W].w * w3;
#define ADD_SLICE(k) \
    { \
        int j = filter_of[k] + i + T * X_S * 4; \
        vec4 w0 = WEIGHT(j), w1 = WEIGHT(j + 1), w2 = WEIGHT(j + 2), w3 = WEIGHT(j + 3); \
        const int K = k; \
        EACH_PIXEL(ADD) \
    }
#define ADD_TAP(t) \
    { \
        const int T = t; \
        EACH_SLICE(ADD_SLICE) \
    }
            EACH_TAP(ADD_TAP)
        }

#define STORE_ONE(k) \
    if (first + P < Y_W && s + k < Y_S) \
        STORE(y, b, row, first + P, s + k, RESULT(sum[AT(P, k)], UNIT(s + k), SHIFT(s + k)));
#define STORE_PIXEL(p) \
    { \
        const int P = p; \
        EACH_SLICE(STORE_ONE) \
    }
    EACH_PIXEL(STORE_PIXEL)
}
