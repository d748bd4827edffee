/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv_gemm.h - a transposed convolution of any element type on the gemm loops, for CPU_FAST.
 *
 * Output rows with the same (oy + pt) % stride use the same window rows, and columns likewise: each such phase is a plain
 * convolution of stride 1 over the padded input. Sums run over input rows and columns in ascending order, as TFLite's do, so window
 * positions descend. */
#pragma once

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/matmul/gemm.h"

/* A plan; it owns nothing. The caller keeps it in c->packed. */
struct tconv_gemm {
    const struct gemm_type *type;
    const struct gemm_isa *isa;
    struct conv_geometry g;
    struct padded padded;
    size_t before_h, before_w; /* rows and columns of padding before the input: how far back a window reaches */
    size_t w, taps, image;     /* offsets of the packed weights, and in scratch of the tap tables and the padded image */
};

/* Plan; add room for the packed weights to `weights`, which may be `scratch`, and for the rest to `scratch`. The shapes have been
 * checked. */
void tconv_gemm_init(struct tconv_gemm *p, const struct gemm_type *type, const struct conv_geometry *g, struct layout *weights,
                     struct layout *scratch);

/* Pack the filter w [oc, kh, kw, ic], elements of type->w_bytes, into `packed`, the room at offset p->w. */
void tconv_gemm_pack(const struct tconv_gemm *p, const void *w, void *packed);

/* Operands of one run, all borrowed. */
struct tconv_gemm_run {
    const void *weights; /* packed */
    void *scratch;
    pad_copy_fn copy; /* copies elements of the whole input; NULL: copy_arg holds them */
    const void *copy_arg;
    void *output;
    size_t output_bytes; /* of an element */
    const void *post;    /* gemm.post */
};

/* Compute output [n, oh, ow, oc], image by image, phase by phase, on all threads. r->scratch is the block that tconv_gemm_init laid
 * out. */
void tconv_gemm_run(const struct tconv_gemm *p, const struct tconv_gemm_run *r, struct threads *threads);
