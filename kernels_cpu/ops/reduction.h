/* SPDX-License-Identifier: Apache-2.0 */
/* reduction.h - the axes of a reduction and the iteration over its input, shared by the reduction kernels. */
#pragma once

#include "kernels_cpu/common/move.h"

struct reduction {
    struct move walk;      /* copy whose dst indexes the output (stride 0 along reduced dimensions) and src the input */
    size_t elems, outputs; /* elements of the input and of the output */
    size_t per_output;     /* input elements in each output; 0 for an empty input */
    bool all;              /* every dimension is reduced */
    const void *x;
    void *acc; /* [outputs] */
};

/* cpu_kernel.shape: input 1 holds the axes (INT32, negative ones from the end, any order, repeats allowed); opt_reducer.keep_dims
 * keeps them with length 1. A scalar has no axis to reduce, whatever input 1 says. Fails with ST_LATER while the axes are not
 * known. */
enum status reduction_shape(struct node *n, struct err *err);

/* Fill *r except for acc. The axes must be known. */
enum status reduction_plan(const struct node *n, struct reduction *r, struct err *err);
