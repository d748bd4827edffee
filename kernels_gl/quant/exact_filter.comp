// SPDX-License-Identifier: Apache-2.0
// exact_filter.comp - weights that are made at run time, a value "f", less their zero point. SIGNED_WEIGHTS: bytes are INT8's,
// though the tensor may call them UINT8.

#if SIGNED_WEIGHTS
#define WEIGHT_BYTES(v) ((v) << 24 >> 24)
#else
#define WEIGHT_BYTES(v) (v)
#endif

// Those of output channel o and four input channels, from 4 * z on; zeros behind the last.
ivec4 filter_row(int o, int ky, int kx, int z)
{
    ivec4 v = WEIGHT_BYTES(LOAD(f, min(FILTER_FIRST + o, F_B - 1), ky, kx, z)) - WEIGHT_ZERO;

    return mix(ivec4(0), v, lessThan(4 * z + ivec4(0, 1, 2, 3), ivec4(F_C)));
}

// Those of slice s of a depthwise convolution: of channels, or with one input channel for each of a group, of output channels.
ivec4 filter_slice(int s, int ky, int kx)
{
#if FILTER_IS_GROUPED
    ivec4 o = min(4 * s + ivec4(0, 1, 2, 3), ivec4(F_B - 1));
    ivec4 v = ivec4(LOADC(f, o.x, ky, kx, 0), LOADC(f, o.y, ky, kx, 0), LOADC(f, o.z, ky, kx, 0), LOADC(f, o.w, ky, kx, 0));
#else
    ivec4 v = LOAD(f, 0, ky, kx, s);
#endif

    return WEIGHT_BYTES(v) - WEIGHT_ZERO;
}
