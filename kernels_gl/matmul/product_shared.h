/* SPDX-License-Identifier: Apache-2.0 */
/* product_shared.h - matrix products by blocks whose operands lie in shared memory (product_shared.comp): the common part of the
 * variants "shared". */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Products of matrices with `rows` times `slices` output vectors, each a sum over `depth` input vectors; `images` products in each
 * of `batches`. */
struct product {
    int64_t rows;
    int32_t slices, depth, images, batches;
};

/* Return true if the device supports the workgroups, and there are at least as many rows and slices as a workgroup has invocations
 * along them. */
bool product_fits_shared(const struct product *m, const struct gl_limits *lim);

/* Return true if that is faster: estimated, not measured on hardware. */
bool product_pays_shared(const struct product *m, const struct gl_limits *lim);

/* Set the blocks, shared memory, workgroups and grid that product_shared.comp needs; the caller emits the functions before it. */
void product_emit_shared(struct gl_shader *p, const struct product *m);

/* gl_variant.registers: the same for all products. */
uint32_t product_registers(const struct ir_op *op);

/* Return the passes of an invocation (gl_variant.iterations). */
uint64_t product_shared_passes(const struct product *m);
