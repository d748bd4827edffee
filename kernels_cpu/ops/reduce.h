/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.h - what the reductions share: which dimensions go, and the walk over the input. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_REDUCE_H
#define DELEGAUGE_KERNELS_CPU_OPS_REDUCE_H

#include "../common/move.h"

struct reduction {
    struct move walk;      /* dst indexes the output (stride 0 along reduced dimensions), src the input */
    size_t elems, outputs; /* of input and output */
    size_t per_output;     /* input elements in each output; 0 for an empty input */
    bool all;              /* every dimension is reduced */
    const void *x;
    void *acc; /* [outputs] */
};

/* Shape function: axis tensor as input 1, keep_dims as option. */
enum status reduce_shape(struct node *n, struct err *err);

/* Fills all but acc. */
enum status reduce_plan(const struct node *n, struct reduction *r, struct err *err);

/* MEAN or SUM of INT8, UINT8, INT16: sums in 32 bits, rescaled. c->scratch holds the sums. */
enum status reduce_quant_prepare(struct cpu_call *c, struct err *err);
enum status reduce_quant_run(struct cpu_call *c, bool mean, struct err *err);

/* REDUCE_PROD of quantized INT8 and INT16: rescaled after every factor. c->scratch holds the products. */
enum status reduce_prod_quant_prepare(struct cpu_call *c, struct err *err);
enum status reduce_prod_quant_run(struct cpu_call *c, struct err *err);

#endif
