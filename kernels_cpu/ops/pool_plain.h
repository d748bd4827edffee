/* SPDX-License-Identifier: Apache-2.0 */
/* pool_plain.h - 2-D pooling by definition, for CPU_REFERENCE; CPU_FAST has the loops of pool.c.
 *
 *   y[n][oy][ox][c] = fold over ky < kh, kx < kw of x[n][oy * sh - pt + ky][ox * sw - pl + kx][c], positions outside x left out
 *
 * Sources: TFLite's reference_ops AveragePool, MaxPool, L2Pool and their integer forms. */
#pragma once

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/quant/fused_activation.h"

enum pool_fold {
    POOL_AVERAGE, /* sum / count; integers: 64-bit sums, halves away from zero */
    POOL_MAX,     /* the largest; NaN never wins; -FLT_MAX or the type's least value if nothing does */
    POOL_L2,      /* sqrt(sum of squares / count); floats only */
};

struct pool_plain {
    const struct conv_geometry *g;
    enum pool_fold fold;
    enum tensor_type type;        /* of x and y: FLOAT32, INT8, UINT8, INT16 */
    bool doubles;                 /* sum floats in double */
    struct range_f32 range;       /* clamp of floats */
    struct range_i32 range_quant; /* clamp of integers */
    const void *x;                /* [n, ih, iw, c] */
    void *y;                      /* [n, oh, ow, c] */
};

/* Compute rows [begin, end) of the n * oh output rows (a job of threads_for). `arg` is a struct pool_plain. */
void pool_plain_rows(void *arg, size_t begin, size_t end);
