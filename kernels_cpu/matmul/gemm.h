/* SPDX-License-Identifier: Apache-2.0 */
/* gemm.h - the loop nest under CPU_FAST's convolutions and matrix products.
 *
 *   y[r][c][oc] = post( sum over taps t, over k < depth, of x[r][c][tap_x[t] + k] * w[tap_w[t]][k][oc] )
 *
 * for a grid of rows x cols positions. Every address is affine, so that one nest serves 1x1 and wider convolutions (a tap is
 * a run of contiguous input), the phases of transposed ones, FULLY_CONNECTED and BATCH_MATMUL.
 *
 * Each sum runs in the order of the definition: vectors lie across output channels, never along the sum. So results do not depend
 * on the width of vectors, only on whether products are fused. Weights are packed in panels of `lanes` output channels, the last
 * one padded with zeros. products_plain.h has the same sums without any of this, for CPU_REFERENCE.
 *
 * Element types are float32; int16 with sums of 32 or 64 bits, into which all quantized types are widened; and for the CPUs that
 * multiply bytes fastest, inputs of 8 bits with INT8 weights. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_GEMM_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_GEMM_H

#include "lib/graph/kernel.h"

#define GEMM_MAX_TILE 16
#define GEMM_BEYOND   7 /* elements after the last of gemm.x that are read at most, and count for nothing */

struct gemm;

/* The inner loops for one element type and one kind of CPU: static data, never freed. */
struct gemm_isa {
    int lanes; /* output channels of a panel */
    int tile;  /* positions that share one pass over the weights, at most GEMM_MAX_TILE */
    int group; /* elements of one sum that an instruction multiplies together: they lie side by side, padded with zeros */

    /* Computes m <= tile positions for one or two neighbouring panels. x and y point at each position's first element. */
    void (*run)(const struct gemm *g, const void *const *x, void *const *y, int m, size_t panel, int panels);
};

/* One product. Everything is borrowed for the time of gemm_run; x, w and y do not overlap. If a size is 0, nothing is written. */
struct gemm {
    const struct gemm_isa *isa;
    size_t rows, cols; /* the grid */
    const void *x;     /* the first element of position (0, 0); integers: isa->group - 1 elements beyond the last are read */
    void *y;           /* channel 0 of position (0, 0) */
    size_t x_row, x_col, y_row, y_col; /* strides in bytes */
    size_t channels;                   /* output channels */
    size_t depth;
    size_t taps;         /* entries of tap_x and tap_w */
    const size_t *tap_x; /* in elements of x */
    const size_t *tap_w;
    size_t w_taps;    /* taps that were packed */
    const void *w;    /* as gemm_type.pack wrote them */
    const void *post; /* the finish of a sum: struct gemm_f32_post or struct gemm_i16_post */
};

/* Panels that hold `channels` output channels. */
static inline size_t gemm_panels(const struct gemm_isa *isa, size_t channels)
{
    return channels / (size_t)isa->lanes + (channels % (size_t)isa->lanes != 0);
}

/* Computes y. Threads take tiles of positions, or panels if there are few tiles. Not to be called from within threads_for. */
void gemm_run(const struct gemm *g, struct threads *threads);

/* The place of weight [tap][k][oc] before packing, in elements: from[tap] + k * k_stride + oc * oc_stride. */
struct gemm_source {
    const void *w;
    const size_t *from;
    size_t k_stride, oc_stride;
};

struct gemm_type {
    size_t bytes;   /* of an element of x, and of a packed one of w */
    size_t w_bytes; /* of an element of w before packing */

    /* The best loops of this CPU, always the same. gemm_bytes alone may have none: NULL. */
    const struct gemm_isa *(*isa)(void);

    /* Writes gemm_packed_bytes(...) bytes, aligned to 64, from weights [taps][depth][channels] that lie as `s` says: in the order
     * [panel][tap][depth / group][lane][group]. */
    void (*pack)(const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels, struct gemm_source s, void *packed);
};

/* Return the bytes that packed weights take; SIZE_MAX if that overflows. */
size_t gemm_packed_bytes(const struct gemm_type *type, const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels);

/* float32. Products are fused into sums if the CPU can. */
extern const struct gemm_type gemm_f32;

struct gemm_f32_post {
    const float *bias; /* padded with zeros to whole panels */
    bool bias_first;   /* the sum starts from the bias; else it is added at the end */
    float lo, hi;      /* clamp */
};

/* Copies the bias (NULL: zeros) and pads it to whole panels. */
void gemm_f32_pack_bias(const struct gemm_isa *isa, size_t channels, const float *bias, float *packed);

/* int16, less their zero point, with sums of 32 bits, which wrap; and with sums of 64 bits, if sums of 32 bits would overflow. */
extern const struct gemm_type gemm_i16, gemm_i16_wide;

/* x of 8 bits, w of INT8 (handed to `pack` as int16 within -128 .. 127), sums of 32 bits, which wrap: gemm_bytes.h. */
extern const struct gemm_type gemm_bytes;

/* The functions that take the sums of integers. The struct is the first member of the struct it belongs to (requant, hybrid), which
 * `store` finds at g->post. gemm_i16_wide calls store_wide, the others store. */
struct gemm_i16_post {
    /* Takes the sums of `count` channels from `channel` on, for the position whose output begins at y. */
    void (*store)(const struct gemm *g, const int32_t *sum, void *y, size_t channel, size_t count);
    void (*store_wide)(const struct gemm *g, const int64_t *sum, void *y, size_t channel, size_t count);
};

#endif
