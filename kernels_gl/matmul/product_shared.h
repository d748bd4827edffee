/* SPDX-License-Identifier: Apache-2.0 */
/* product_shared.h - products of matrices by blocks whose operands lie in shared memory, as product_shared.comp has them: the
 * common part of the variants "shared" of the kinds of products. */
#ifndef DELEGAUGE_KERNELS_GL_PRODUCT_SHARED_H
#define DELEGAUGE_KERNELS_GL_PRODUCT_SHARED_H

#include "lib/gl/ir/kernel.h"

/* Matrices of `rows` times `slices` vectors, each of sums of `depth` products of vectors with four others: `images` of them for
 * each of `batches`. */
struct product {
    int64_t rows;
    int32_t slices, depth, images, batches;
};

/* The device has such workgroups, and there are at least as many rows and slices as a workgroup has lanes along them. */
bool product_fits_shared(const struct product *m, const struct gl_limits *lim);

/* Estimated, not measured on hardware. */
bool product_pays_shared(const struct product *m, const struct gl_limits *lim);

/* Emit the rest that product_shared.comp needs beside the functions before it: blocks, memory, workgroups and the grid. */
void product_emit_shared(struct gl_shader *p, const struct product *m);

/* For gl_variant.iterations. */
uint64_t product_shared_passes(const struct product *m);

#endif
