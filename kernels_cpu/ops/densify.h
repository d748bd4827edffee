/* SPDX-License-Identifier: Apache-2.0 */
/* densify.h - sparse constants made dense. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_DENSIFY_H
#define DELEGAUGE_KERNELS_CPU_OPS_DENSIFY_H

#include "lib/tensor/tensor.h"

/* Writes the x->bytes bytes of a sparse constant's dense content to `dense`, the caller's: zeros, and the elements stored at the
 * places that x->sparsity gives. Its elements must have whole bytes. The loader has verified the sparsity, so that nothing can
 * fail. */
void densify(const struct tensor *x, void *dense);

#endif
