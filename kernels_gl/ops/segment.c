/* SPDX-License-Identifier: Apache-2.0 */
/* segment.c - SEGMENT_SUM and UNSORTED_SEGMENT_*: one number gives the destination of a row; rows with a negative one are dropped.
 */
#include "kernels_gl/ops/scatter.h"

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if ((n->n_in > 2 && !gl_constant(n, 2, "number of segments", why)) || !scatter_accept(lim, n, 1, 0, why))
        return false;
    for (size_t i = 0; n->in[1]->is_const && i < tensor_elems(n->in[1]); i++)
        if (tensor_int(n->in[1], i) >= n->out[0]->dim[0])
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "id %zu is %lld, there are %d segments", i,
                              (long long)tensor_int(n->in[1], i), n->out[0]->dim[0]);
    return true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct scatter t = {.fold = n->op->gl->arg, .depth = 1, .extent = {n->out[0]->dim[0]}};

    return scatter_lower(ir, n->in[1], n->in[0], n->out[0], t, err);
}

#define SEGMENT(name, how)                                                                                                         \
    const struct gl_kernel gl_##name = {.max_version = 1,                                                                          \
                                        .in_types = TAKES_FLOAT | TAKES_INT,                                                       \
                                        .out_types = TAKES_FLOAT | TAKES_INT,                                                      \
                                        .accept = accept,                                                                          \
                                        .lower = lower,                                                                            \
                                        .arg = &(how)}

SEGMENT(segment_sum, fold_sum);
SEGMENT(unsorted_segment_sum, fold_sum);
SEGMENT(unsorted_segment_prod, fold_prod);
SEGMENT(unsorted_segment_max, fold_max);
SEGMENT(unsorted_segment_min, fold_min);
