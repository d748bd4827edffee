// SPDX-License-Identifier: Apache-2.0
// exact_conv.comp - direct convolution in integers: PIXELS pixels, STEP apart, times SLICES slices of output channels, as
// conv.comp. Products and the sums of CHUNK slices of them are whole numbers that floats hold, which devices multiply fastest; sums
// of those are integers.
#if FLAT
#define PLACE(pixel) ivec2(pixel, 0)
#else
#define PLACE(pixel) ivec2((pixel) % Y_W, (pixel) / Y_W)
#endif
#if HYBRID
#define FINISH(sum) exact_real(sum, mult, shift, LOAD(m, b, min(at.y, M_H - 1), min(at.x, M_W - 1), 0).x)
#else
#define FINISH(sum) exact_requant(sum, mult, shift, s + k)
#endif
#define FOR_PIXELS for (int p = 0; p < PIXELS; p++)
#define FOR_SLICES for (int k = 0; k < SLICES; k++)

// Four weights of a word.
vec4 weights(int bits)
{
#if SIGNED_WEIGHTS
    return vec4((ivec4(bits << 24, bits << 16, bits << 8, bits) >> 24) - WEIGHT_ZERO);
#else
    return vec4((ivec4(bits, bits >> 8, bits >> 16, bits >> 24) & 255) - WEIGHT_ZERO);
#endif
}

void run(int b, int row, int lane, int group)
{
    int first = row * GRID_W + lane, s = group * SLICES;

    if (first >= STEP)
        return;

    int filter_of[SLICES];
    ivec2 corner[PIXELS];
    ivec4 sum[PIXELS * SLICES];

    FOR_SLICES {
        int slice = min(s + k, Y_S - 1);

        filter_of[k] = EXACT_HEAD + slice * KERNEL_H * KERNEL_W * X_S;
        FOR_PIXELS
            sum[p * SLICES + k] = exact_bias(slice);
    }
    FOR_PIXELS {
        int pixel = min(first + p * STEP, Y_H * Y_W - 1);

        corner[p] = PLACE(pixel);
#if !POINTWISE
        corner[p] = corner[p] * ivec2(STRIDE_W, STRIDE_H) - ivec2(PAD_W, PAD_H);
#endif
    }
    for (int ky = 0; ky < KERNEL_H; ky++)
        for (int kx = 0; kx < KERNEL_W; kx++)
            for (int begin = 0; begin < X_S; begin += CHUNK) {
                int i = (ky * KERNEL_W + kx) * X_S + begin;
                vec4 part[PIXELS * SLICES];

                FOR_PIXELS
                    FOR_SLICES
                        part[p * SLICES + k] = vec4(0.0);
                for (int z = begin; z < min(begin + CHUNK, X_S); z++, i++) {
                    vec4 v[PIXELS];

                    FOR_PIXELS {
#if POINTWISE
                        v[p] = vec4(LOAD(x, b, corner[p].y, corner[p].x, z) - X_ZERO);
#else
                        ivec2 at = corner[p] + ivec2(kx * DILATION_W, ky * DILATION_H);
                        bool inside = all(greaterThanEqual(at, ivec2(0))) && at.x < X_W && at.y < X_H;

                        v[p] = vec4(0.0);
                        if (inside)
                            v[p] = vec4(LOAD(x, b, at.y, at.x, z) - X_ZERO);
#endif
                    }
                    FOR_SLICES {
#if FILTER_VALUE
                        int o = 4 * min(s + k, Y_S - 1);
                        vec4 w0 = vec4(filter_row(o, ky, kx, z)), w1 = vec4(filter_row(o + 1, ky, kx, z));
                        vec4 w2 = vec4(filter_row(o + 2, ky, kx, z)), w3 = vec4(filter_row(o + 3, ky, kx, z));
#else
                        ivec4 bits = LOADI(w, filter_of[k] + i);
                        vec4 w0 = weights(bits.x), w1 = weights(bits.y), w2 = weights(bits.z), w3 = weights(bits.w);
#endif

                        FOR_PIXELS
                            part[p * SLICES + k] += vec4(dot(v[p], w0), dot(v[p], w1), dot(v[p], w2), dot(v[p], w3));
                    }
                }
                FOR_PIXELS
                    FOR_SLICES
                        sum[p * SLICES + k] += ivec4(part[p * SLICES + k]);
            }
    FOR_SLICES {
        ivec4 mult = exact_mult(min(s + k, Y_S - 1)), shift = exact_shift(min(s + k, Y_S - 1));

        FOR_PIXELS {
            int pixel = first + p * STEP;
            ivec2 at = PLACE(pixel);

            if (pixel < Y_H * Y_W && s + k < Y_S)
                STORE(y, b, at.y, at.x, s + k, FINISH(sum[p * SLICES + k]));
        }
    }
}
