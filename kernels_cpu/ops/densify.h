/* SPDX-License-Identifier: Apache-2.0 */
/* densify.h - sparse constants made dense. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_DENSIFY_H
#define DELEGAUGE_KERNELS_CPU_OPS_DENSIFY_H

#include "../../lib/tensor.h"

/* Writes the x->bytes bytes of a sparse constant's dense content. Its elements must have whole bytes. */
void densify(const struct tensor *x, void *dense);

#endif
