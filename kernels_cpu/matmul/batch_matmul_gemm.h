/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul_gemm.h - BATCH_MATMUL of any element type on the gemm loops, for CPU_FAST.
 *
 *   bmm_gemm_init       once, from the shapes
 *   bmm_gemm_pack       once for a constant w, else in each run
 *   bmm_gemm_transpose  in each run if x is stored [k][m]
 *   bmm_gemm_run        one gemm per matrix of y; a single one if w is one matrix */
#pragma once

#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/matmul/batch_matmul.h"
#include "kernels_cpu/matmul/gemm.h"

struct bmm_gemm {
    struct bmm_shape s;
    const struct gemm_type *type;
    const struct gemm_isa *isa;
    size_t matrix; /* bytes of one packed matrix of w */
};

/* Fill *p, which owns nothing. */
void bmm_gemm_init(struct bmm_gemm *p, const struct gemm_type *type, const struct bmm_shape *s);

/* Add room for all packed matrices of w to the layout; return its offset in bytes. */
size_t bmm_gemm_weights_layout(const struct bmm_gemm *p, struct layout *l);

/* Pack matrices [w_batches][k][n], or [n][k] with adj_y, of elements type->w_bytes wide, into `packed`. */
void bmm_gemm_pack(const struct bmm_gemm *p, const void *w, void *packed, struct threads *threads);

/* Transpose every matrix of x from [k][m] to [m][k], elements of 2 or 4 bytes. `out` has the same size and must not overlap x. */
void bmm_gemm_transpose(const struct bmm_gemm *p, const void *x, void *out, struct threads *threads);

struct bmm_gemm_run {
    const void *x, *packed; /* x as [m][k] */
    void *y;
    size_t y_bytes; /* of an element */

    /* Return the gemm.post for products of matrix xi of x; may be built in `room` of 256 bytes. NULL: post_arg itself. */
    const void *(*post)(const void *arg, size_t xi, void *room);
    const void *post_arg;
};

/* Compute y [batches][m][n] on all threads. For integers one readable element must follow x. */
void bmm_gemm_run(const struct bmm_gemm *p, const struct bmm_gemm_run *r, struct threads *threads);
