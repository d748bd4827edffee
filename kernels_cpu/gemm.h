/* gemm.h - the loop nest under convolutions and matrix products.
 *
 *   y[r][c][oc] = post( sum over taps t, over k < depth, of x[r][c][tap_x[t] + k] * w[tap_w[t]][k][oc] )
 *
 * for a grid of rows x cols positions. Every address is affine, so that one nest serves 1x1 and wider convolutions (a tap is
 * a run of contiguous input), the phases of transposed ones, FULLY_CONNECTED and BATCH_MATMUL.
 *
 * Each sum runs in the order of the definition: vectors lie across output channels, never along the sum. So the result is
 * the scalar reference's, bit for bit, whatever the vector width. Weights are packed in panels of `lanes` output channels,
 * [panel][tap][k][lane], the last one padded with zeros. */
#ifndef DELEGAUGE_GEMM_H
#define DELEGAUGE_GEMM_H

#include "../lib/kernel.h"

#define GEMM_MAX_TILE 16

struct gemm;

/* The inner loops for one kind of CPU. */
struct gemm_isa {
    const char *name;
    int lanes;                   /* output channels of a panel */
    int tile;                    /* positions that share one pass over the weights, at most GEMM_MAX_TILE */

    /* Computes m <= tile positions for one or two neighbouring panels. x and y point at each position's first element. */
    void (*run)(const struct gemm *g, const void *const *x, void *const *y, int m, size_t panel, int panels);
};

struct gemm {
    const struct gemm_isa *isa;
    size_t rows, cols;                   /* the grid */
    const void *x;
    void *y;
    size_t x_row, x_col, y_row, y_col;   /* strides in bytes */
    size_t channels;                     /* output channels */
    size_t depth;
    size_t taps;                         /* entries of tap_x and tap_w */
    const size_t *tap_x;                 /* in elements of x */
    const size_t *tap_w;
    size_t w_taps;                       /* taps that were packed */
    const void *w;
    const void *post;                    /* what the isa does with a sum: struct gemm_f32_post and so on */
};

static inline size_t gemm_panels(const struct gemm_isa *isa, size_t channels)
{
    return channels / (size_t)isa->lanes + (channels % (size_t)isa->lanes != 0);
}

void gemm_run(const struct gemm *g, struct threads *threads);

/* Where weight [tap][k][oc] lies before packing, in elements. */
struct gemm_strides { size_t tap, k, oc; };

/* float32 */

struct gemm_f32_post {
    const float *bias;           /* padded with zeros to whole panels */
    bool bias_first;             /* the sum starts from the bias; else it is added at the end */
    float lo, hi;                /* clamp */
};

/* CPU_REFERENCE rounds after each product; CPU_FAST fuses where the CPU can. */
const struct gemm_isa *gemm_f32_isa(enum cpu_mode mode);

/* Floats that packed weights take; SIZE_MAX where that overflows. */
size_t gemm_f32_packed(const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels);

void gemm_f32_pack(const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels, const float *w,
                   struct gemm_strides s, float *packed);

/* Copies the bias (NULL: zeros) and pads it to whole panels. */
void gemm_f32_pack_bias(const struct gemm_isa *isa, size_t channels, const float *bias, float *packed);

#endif
