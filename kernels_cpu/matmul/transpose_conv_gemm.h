/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv_gemm.h - a transposed convolution of any element type on the gemm loops: CPU_FAST's.
 *
 * Output rows whose (oy + pt) leaves the same remainder by the stride see the same window rows, and likewise columns: each
 * such phase is a plain convolution of stride 1 over the padded input. Sums run over input rows and columns in ascending
 * order, which is TFLite's, so window positions descend. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_TRANSPOSE_CONV_GEMM_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_TRANSPOSE_CONV_GEMM_H

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/matmul/gemm.h"

/* A plan; it owns nothing. The caller keeps it in c->packed. */
struct tconv_gemm {
    const struct gemm_type *type;
    const struct gemm_isa *isa;
    struct conv_geometry g;
    struct padded padded;
    size_t before_h, before_w; /* rows and columns of padding: how far back a window reaches */
    size_t w, taps, image;     /* offsets: of packed weights, of the tap tables and the padded image in scratch */
};

/* Plans; lays out the packed weights in `weights`, which may be `scratch`, and the rest in `scratch`. The shapes have been checked.
 */
void tconv_gemm_init(struct tconv_gemm *p, const struct gemm_type *type, const struct conv_geometry *g, struct layout *weights,
                     struct layout *scratch);

/* `w` is the filter [oc, kh, kw, ic] in the type's elements, `scratch` any memory laid out as above. */
void tconv_gemm_pack(const struct tconv_gemm *p, const void *w, void *packed);

/* The needs of one run beside the plan; all borrowed. */
struct tconv_gemm_run {
    const void *weights; /* packed */
    void *scratch;
    pad_copy_fn copy; /* of the whole input */
    const void *copy_arg;
    void *output;
    size_t output_bytes; /* of an element */
    const void *post;    /* gemm.post */
};

/* Writes output [n, oh, ow, oc], one image after the other, phase by phase. `r->scratch` has the room for which `scratch` was laid
 * out. */
void tconv_gemm_run(const struct tconv_gemm *p, const struct tconv_gemm_run *r, struct threads *threads);

#endif
