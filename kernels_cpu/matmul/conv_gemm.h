/* SPDX-License-Identifier: Apache-2.0 */
/* conv_gemm.h - a 2-D convolution of any element type on the gemm loops, for CPU_FAST.
 *
 * A padded input is copied with its padding written out, so that each row of the window is one run of memory.
 *
 *   conv_gemm_init                        once, from the shapes
 *   conv_gemm_taps_layout, conv_gemm_taps in prepare: the offsets of the window's rows, which depend on the shapes alone
 *   conv_gemm_weights_layout, _pack       in prepare for constant weights, else in each run
 *   conv_gemm_image_layout, _run          in each run; the image lies in scratch
 *
 * No function here fails: cpu_pack and the plan refuse a layout that overflowed (common/layout.h). */
#pragma once

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/matmul/gemm.h"

/* A plan. It owns nothing; the tap tables lie in the memory given to conv_gemm_taps, which must live as long. */
struct conv_gemm {
    const struct gemm_type *type;
    const struct gemm_isa *isa;
    struct conv_geometry g;                     /* trimmed by conv_trim */
    int32_t filter_kh, filter_kw, cut_h, cut_w; /* the filter's window, and the first row and column of the trimmed window in it */
    size_t groups, group_ic, group_oc;
    size_t taps, depth; /* the trimmed window as the gemm loops see it: whole rows if they are contiguous, else single positions */
    bool pad;           /* read a padded copy; else the input in place, if its elements have the loops' type */
    struct padded padded;             /* rows and columns of the image that the loops read */
    size_t group_bytes;               /* of one group's packed weights */
    size_t *tap_x, *tap_w, *tap_from; /* [taps], as struct gemm and struct gemm_source have them */
};

/* Plan for a filter [oc, kh, kw, filter_c] in g->ic / filter_c groups. The shapes have been checked. */
void conv_gemm_init(struct conv_gemm *p, const struct gemm_type *type, const struct conv_geometry *g, int32_t filter_c);

/* Add room for the tap tables to l; return its offset. conv_gemm_taps fills them at `memory`, that offset in the block. */
size_t conv_gemm_taps_layout(const struct conv_gemm *p, struct layout *l);
void conv_gemm_taps(struct conv_gemm *p, void *memory);

/* Add room for the packed weights, or for the padded image with elements `type->bytes` wide, to l; return its offset. */
size_t conv_gemm_weights_layout(const struct conv_gemm *p, struct layout *l);
size_t conv_gemm_image_layout(const struct conv_gemm *p, struct layout *l);

/* Pack the whole filter w, elements of type->w_bytes, into `packed`. */
void conv_gemm_pack(const struct conv_gemm *p, const void *w, void *packed);

struct conv_gemm_run {
    const void *weights; /* packed */
    void *image;         /* room for the padded image of one batch entry */
    const void *input;   /* elements of the loops' type, read in place if there is no padding; NULL: always copy */
    pad_copy_fn copy;    /* writes elements of the copy, widened for integers; NULL: copy_arg holds them */
    const void *copy_arg;
    uint8_t pad_byte; /* each byte of the padding */
    void *output;
    size_t output_bytes; /* of an element */

    /* Return the gemm.post of one group of one image; may be built in `room` of 256 bytes. */
    const void *(*post)(const void *arg, size_t image, size_t group, void *room);
    const void *post_arg;
};

/* Compute the output [n, oh, ow, oc], image by image, group by group, on all threads. */
void conv_gemm_run(const struct conv_gemm *p, const struct conv_gemm_run *r, struct threads *threads);
