// SPDX-License-Identifier: Apache-2.0
// conv.comp - direct convolution: PIXELS pixels times SLICES slices of output channels per invocation.
// The pixels of one invocation are STEP apart, so that neighbouring lanes read neighbouring pixels whatever the image's shape.
// Where the image has fewer pixels than a workgroup has lanes, SWAPPED lets the lanes run over slices instead.
// POINTWISE: the output pixel is made of the input pixel at the same place; FLAT: and both images are one row.
// Weights: see struct filter in window.h, COUNTS: window_counts there. FIRST_H and so on: parts.h.
#if FLAT
#define PLACE(pixel) ivec2(pixel, 0)
#else
#define PLACE(pixel) ivec2((pixel) % Y_W, (pixel) / Y_W)
#endif
#define FOR_PIXELS for (int p = 0; p < PIXELS; p++)
#define FOR_SLICES for (int k = 0; k < SLICES; k++)

void run(int b, int row, int lane, int group)
{
#if SWAPPED
    int first = group, s = (row * GRID_W + lane) * SLICES;
#else
    int first = row * GRID_W + lane, s = group * SLICES;
#endif
    if (first >= STEP || s >= Y_S)
        return;

    int per_slice = KERNEL_H * KERNEL_W * X_S * 4;
    int filter_of[SLICES];
    ivec2 corner[PIXELS];
    vec4 sum[PIXELS * SLICES], unit[SLICES], shift[SLICES];

    FOR_SLICES {
        int slice = min(s + k, Y_S - 1);

        filter_of[k] = BIASES + slice * per_slice;
        unit[k] = UNIT(slice);
        shift[k] = SHIFT(slice);
        FOR_PIXELS
            sum[p * SLICES + k] = START(slice);
    }
    FOR_PIXELS {
        int pixel = min(first + p * STEP, Y_H * Y_W - 1);

        corner[p] = PLACE(pixel);
#if !POINTWISE
        corner[p] = corner[p] * ivec2(STRIDE_W, STRIDE_H) - ivec2(PAD_W, PAD_H);
#endif
    }
    for (int ky = FIRST_H; ky < LAST_H; ky++)
        for (int kx = FIRST_W; kx < LAST_W; kx++) {
            int i = ((ky * KERNEL_W + kx) * X_S + FIRST_S) * 4;

            for (int z = FIRST_S; z < LAST_S; z++, i += 4) {
                vec4 v[PIXELS];

                FOR_PIXELS {
#if POINTWISE
                    v[p] = COUNTS(LOAD(x, IMAGE, corner[p].y, corner[p].x, z));
#else
                    v[p] = COUNTS(LOADZ(x, IMAGE, corner[p].y + ky * DILATION_H, corner[p].x + kx * DILATION_W, z));
#endif
                }
                FOR_SLICES {
                    int j = filter_of[k] + i;
                    vec4 w0 = WEIGHT(j), w1 = WEIGHT(j + 1), w2 = WEIGHT(j + 2), w3 = WEIGHT(j + 3);

                    FOR_PIXELS {
#if INFINITE_WEIGHTS
                        ivec2 at = corner[p] + ivec2(kx * DILATION_W, ky * DILATION_H);

                        if (any(lessThan(at, ivec2(0))) || at.x >= X_W || at.y >= X_H)
                            continue;
#endif
                        sum[p * SLICES + k] += v[p].x * w0 + v[p].y * w1 + v[p].z * w2 + v[p].w * w3;
                    }
                }
            }
        }
    FOR_PIXELS {
        int pixel = first + p * STEP;

        FOR_SLICES
            if (pixel < Y_H * Y_W && s + k < Y_S)
                STORE(y, b, PLACE(pixel).y, PLACE(pixel).x, s + k, RESULT(sum[p * SLICES + k], unit[k], shift[k]));
    }
}
