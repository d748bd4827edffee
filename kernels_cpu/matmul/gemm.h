/* SPDX-License-Identifier: Apache-2.0 */
/* gemm.h - the loop nest of CPU_FAST's convolutions and matrix products.
 *
 *   y[r][c][oc] = post( sum over taps t, over k < depth, of x[r][c][tap_x[t] + k] * w[tap_w[t]][k][oc] )
 *
 * for a grid of rows x cols positions. Every address is affine, so one nest serves 1x1 and wider convolutions (a tap is a run of
 * contiguous input), the phases of transposed convolutions, FULLY_CONNECTED and BATCH_MATMUL.
 *
 * Each sum runs in the order of this definition: vectors lie across output channels, never along the sum. So results do not depend
 * on the width of vectors, only on whether products are fused. Weights are packed in panels of `lanes` output channels, the last
 * one padded with zeros. products_plain.h has the same sums without any of this, for CPU_REFERENCE.
 *
 * Element types are float32; int16, to which all quantized types are widened, with sums of 32 or 64 bits; and, for the CPUs that
 * multiply bytes fastest, 8-bit inputs with INT8 weights. */
#pragma once

#include "lib/graph/kernel.h"

#define GEMM_MAX_TILE 16
#define GEMM_BEYOND   7 /* elements read beyond gemm.x, at most; they do not affect results */

struct gemm;

/* The inner loops for one element type and one kind of CPU: static data, never freed. */
struct gemm_isa {
    int lanes; /* output channels of a panel */
    int tile;  /* positions that share one pass over the weights, at most GEMM_MAX_TILE */
    int group; /* neighbouring elements of a sum that one instruction multiplies; the depth is padded to a multiple with zero
                  weights */

    /* Compute m <= tile positions for one or two neighbouring panels. x and y point at each position's first element. */
    void (*run)(const struct gemm *g, const void *const *x, void *const *y, int m, size_t panel, int panels);
};

/* One product. gemm_run borrows everything; x, w and y must not overlap. If a size is 0, nothing is written. */
struct gemm {
    const struct gemm_isa *isa;
    size_t rows, cols; /* the grid */
    const void *x;     /* first element of position (0, 0); integers: isa->group - 1 elements beyond the last are read */
    void *y;           /* channel 0 of position (0, 0) */
    size_t x_row, x_col, y_row, y_col; /* strides in bytes */
    size_t channels;                   /* output channels */
    size_t depth;
    size_t taps;         /* entries of tap_x and tap_w */
    const size_t *tap_x; /* offset of each tap, in elements of x */
    const size_t *tap_w;
    size_t w_taps;    /* taps in the packed weights */
    const void *w;    /* as gemm_type.pack wrote them */
    const void *post; /* parameters of the result: struct gemm_f32_post or struct gemm_i16_post */
};

/* Return the number of panels for `channels` output channels. */
static inline size_t gemm_panels(const struct gemm_isa *isa, size_t channels)
{
    return channels / (size_t)isa->lanes + (channels % (size_t)isa->lanes != 0);
}

/* Compute y. Threads share tiles of positions, or panels if there are few tiles. Not to be called from within threads_for. */
void gemm_run(const struct gemm *g, struct threads *threads);

/* Weights before packing: [tap][k][oc] is element from[tap] + k * k_stride + oc * oc_stride of w. */
struct gemm_source {
    const void *w;
    const size_t *from;
    size_t k_stride, oc_stride;
};

struct gemm_type {
    size_t bytes;   /* of an element of x and of packed w */
    size_t w_bytes; /* of an element of w before packing */

    /* Return the best loops of this CPU, always the same; NULL if it has none, which only gemm_bytes may return. */
    const struct gemm_isa *(*isa)(void);

    /* Pack weights [taps][depth][channels], laid out as `s` says, into gemm_packed_bytes(...) bytes, aligned to 64, in the order
     * [panel][tap][depth / group][lane][group]. */
    void (*pack)(const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels, struct gemm_source s, void *packed);
};

/* Return the size in bytes of packed weights; SIZE_MAX if that overflows. */
size_t gemm_packed_bytes(const struct gemm_type *type, const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels);

/* float32. Products are fused into sums if the CPU can. */
extern const struct gemm_type gemm_f32;

struct gemm_f32_post {
    const float *bias; /* padded with zeros to whole panels */
    bool bias_first;   /* the sum starts from the bias; else it is added at the end */
    float lo, hi;      /* clamp */
};

/* Copy the bias (NULL: zeros) and pad it with zeros to whole panels. */
void gemm_f32_pack_bias(const struct gemm_isa *isa, size_t channels, const float *bias, float *packed);

/* int16 elements minus their zero point, with 32-bit sums, which wrap, or with 64-bit sums, if 32 bits would overflow. */
extern const struct gemm_type gemm_i16, gemm_i16_wide;

/* 8-bit x, INT8 w (passed to `pack` as int16 within -128 .. 127), 32-bit sums, which wrap: gemm_bytes.h. */
extern const struct gemm_type gemm_bytes;

/* Functions that finish integer sums. The first member of a larger struct (requant, hybrid_post), to which g->post points.
 * gemm_i16_wide calls store_wide, the other types call store. */
struct gemm_i16_post {
    /* Store the sums of channels channel .. channel + count - 1 of the position whose output begins at y. */
    void (*store)(const struct gemm *g, const int32_t *sum, void *y, size_t channel, size_t count);
    void (*store_wide)(const struct gemm *g, const int64_t *sum, void *y, size_t channel, size_t count);
};
