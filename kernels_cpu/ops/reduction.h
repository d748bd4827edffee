/* SPDX-License-Identifier: Apache-2.0 */
/* reduction.h - the choice of dimensions to reduce and the walk over the input, which the reductions share. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_REDUCTION_H
#define DELEGAUGE_KERNELS_CPU_OPS_REDUCTION_H

#include "kernels_cpu/common/move.h"

struct reduction {
    struct move walk;      /* dst indexes the output (stride 0 along reduced dimensions), src the input */
    size_t elems, outputs; /* of input and output */
    size_t per_output;     /* input elements in each output; 0 for an empty input */
    bool all;              /* every dimension is reduced */
    const void *x;
    void *acc; /* [outputs] */
};

/* Shape function: input 1 holds the axes (INT32, negative ones from the end, any order, repeats allowed), opt_reducer.keep_dims
 * whether they stay with length 1. ST_LATER while the axes are not known. Of a scalar nothing is reduced, whatever they say. */
enum status reduction_shape(struct node *n, struct err *err);

/* Fills all but acc. The axes are known. */
enum status reduction_plan(const struct node *n, struct reduction *r, struct err *err);

#endif
