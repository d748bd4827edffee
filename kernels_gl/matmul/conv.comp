// SPDX-License-Identifier: Apache-2.0
// conv.comp - direct convolution: PIXELS pixels times SLICES slices of output channels per invocation.
// The pixels of one invocation are APART, so that neighbouring lanes read neighbouring pixels whatever the image's shape; as many
// lanes, 1 << BLOCK_BITS at most, compute a block of pixels.
// Where the image has fewer pixels than a workgroup has lanes, SWAPPED lets the lanes run over slices instead.
// POINTWISE: the output pixel is made of the input pixel at the same place. After conv_place.comp.
// EACH_PIXEL and EACH_SLICE unroll by macros: some compilers leave loops over arrays of large tiles as they are, and slow.
// BESIDE: the filters of the tile's slices lie beside each other (window.h).
// FILTERS: so many slices of filters come before those of this batch; IS_BIASED: its sums have biases.
// Weights: see struct filter in window.h, COUNTS: window_counts there. FIRST_H and so on: split_k.h.
#if INFINITE_WEIGHTS
bool is_inside(ivec2 at)
{
    return all(greaterThanEqual(at, ivec2(0))) && at.x < X_W && at.y < X_H;
}
#endif
#define AT(p, k) ((p) * SLICES + (k))

void run(int b, int row, int lane, int group)
{
#if SWAPPED
    int place = group, s = (row * GRID_W + lane) * SLICES;
#else
    int place = row * GRID_W + lane, s = group * SLICES;
#endif
    if (place >= STEP || s >= Y_S)
        return;

    int block = place >> BLOCK_BITS, first = (block << BLOCK_BITS) * (PIXELS - 1) + place;

    int per_slice = KERNEL_H * KERNEL_W * X_S * 4, per_step = 4;
    int filter_of[SLICES];
    ivec2 corner[PIXELS];
    SUM4 sum[PIXELS * SLICES];
    vec4 unit[SLICES], shift[SLICES];
    FACTOR4 v[PIXELS];

#if BESIDE
    per_step = 4 * min(SLICES, Y_S - s);
#define FILTER_OF(k) ((FILTERS + s) * per_slice + min(4 * k, per_step - 4))
#else
#define FILTER_OF(k) ((FILTERS + slice) * per_slice)
#endif

#define BEGIN_SLICE(k) \
    { \
        int slice = min(s + k, Y_S - 1); \
 \
        filter_of[k] = BIASES + FILTER_OF(k); \
        unit[k] = UNIT(slice); \
        shift[k] = SHIFT(slice); \
        SUM4 start = AS_SUM(IS_BIASED ? START(slice) : vec4(0.0)); \
        const int K = k; \
        EACH_PIXEL(BEGIN_SUM) \
    }
#define BEGIN_SUM(p) sum[AT(p, K)] = start;
    EACH_SLICE(BEGIN_SLICE)

#if POINTWISE
#define CORNER(place) (place)
#else
#define CORNER(place) ((place) * ivec2(STRIDE_W, STRIDE_H) - ivec2(PAD_W, PAD_H))
#endif
#define BEGIN_PIXEL(p) corner[p] = CORNER(PLACE(min(first + p * APART, Y_H * Y_W - 1)));
    EACH_PIXEL(BEGIN_PIXEL)

    for (int ky = FIRST_H; ky < LAST_H; ky++)
        for (int kx = FIRST_W; kx < LAST_W; kx++) {
            int i = ((ky * KERNEL_W + kx) * X_S + FIRST_S) * per_step;

            for (int z = FIRST_S; z < LAST_S; z++, i += per_step) {
#if POINTWISE
#define READ(p) v[p] = FACTOR(COUNTS(LOAD(x, IMAGE, corner[p].y, corner[p].x, z)));
#else
#define READ(p) v[p] = FACTOR(COUNTS(LOADZ(x, IMAGE, corner[p].y + ky * DILATION_H, corner[p].x + kx * DILATION_W, z)));
#endif
                EACH_PIXEL(READ)

#if INFINITE_WEIGHTS
#define COUNTED(p) is_inside(corner[p] + ivec2(kx * DILATION_W, ky * DILATION_H))
#else
#define COUNTED(p) true
#endif
#define ADD(p) \
    if (COUNTED(p)) \
        ADD_TO(sum[AT(p, K)], MUL(v[p].x, w0) + MUL(v[p].y, w1) + MUL(v[p].z, w2) + MUL(v[p].w, w3));
#define ADD_SLICE(k) \
    { \
        int j = filter_of[k] + i; \
        FACTOR4 w0 = FACTOR(WEIGHT_ROW(j, 0)), w1 = FACTOR(WEIGHT_ROW(j, 1)); \
        FACTOR4 w2 = FACTOR(WEIGHT_ROW(j, 2)), w3 = FACTOR(WEIGHT_ROW(j, 3)); \
        const int K = k; \
        EACH_PIXEL(ADD) \
    }
                EACH_SLICE(ADD_SLICE)
            }
        }

#define STORE_ONE(k) \
    if (pixel < Y_H * Y_W && s + k < Y_S) \
        STORE(y, b, PLACE(pixel).y, PLACE(pixel).x, s + k, RESULT(sum[AT(P, k)], unit[k], shift[k]));
#define STORE_PIXEL(p) \
    { \
        int pixel = first + p * APART; \
        const int P = p; \
        EACH_SLICE(STORE_ONE) \
    }
    EACH_PIXEL(STORE_PIXEL)
}
