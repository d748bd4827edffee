/* SPDX-License-Identifier: Apache-2.0 */
/* densify.h - expands sparse constants to dense tensors. */
#pragma once

#include "lib/tensor/tensor.h"

/* Write the dense content of sparse constant x, x->bytes bytes, to the caller's `dense`: the elements stored at the places that
 * x->sparsity gives, zeros elsewhere. Elements must have whole bytes. Cannot fail: the loader has verified the sparsity. */
void densify(const struct tensor *x, void *dense);
