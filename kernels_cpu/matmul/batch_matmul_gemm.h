/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul_gemm.h - BATCH_MATMUL of any element type on the gemm loops. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_BATCH_MATMUL_GEMM_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_BATCH_MATMUL_GEMM_H

#include "batch_matmul.h"
#include "gemm.h"
#include "../common/layout.h"

struct bmm_gemm {
    struct bmm_shape s;
    const struct gemm_type *type;
    const struct gemm_isa *isa;
    size_t matrix; /* bytes of one packed matrix of w */
};

void bmm_gemm_init(struct bmm_gemm *p, const struct gemm_type *type, const struct bmm_shape *s);

/* Room for all packed matrices of w. */
size_t bmm_gemm_weights_layout(const struct bmm_gemm *p, struct layout *l);

void bmm_gemm_pack(const struct bmm_gemm *p, const void *w, void *packed, struct threads *threads);

/* Every matrix of x [k][m] becomes [m][k]. */
void bmm_gemm_transpose(const struct bmm_gemm *p, const void *x, void *out, struct threads *threads);

struct bmm_gemm_run {
    const void *x, *packed; /* x as [m][k] */
    void *y;
    size_t y_bytes; /* of an element */

    /* The gemm.post of the matrix that comes of matrix xi of x; may be built in `room` of 256 bytes. */
    const void *(*post)(const void *arg, size_t xi, void *room);
    const void *post_arg;
};

void bmm_gemm_run(const struct bmm_gemm *p, const struct bmm_gemm_run *r, struct threads *threads);

#endif
