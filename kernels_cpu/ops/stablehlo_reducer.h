/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_reducer.h - the one-operator computations of STABLEHLO_SCATTER and REDUCE_WINDOW, as functions of two elements.
 *
 * The file gives such a computation as a subgraph, and running that for each element would cost a session's run each. As in TFLite,
 * its operator selects one of these functions instead. STABLEHLO_X and the builtin X mean the same. */
#pragma once

#include "lib/graph/kernel.h"

/* STABLEHLO_REPLACE keeps the new element. */
enum stablehlo_reduction {
    STABLEHLO_REPLACE,
    STABLEHLO_ADD,
    STABLEHLO_MUL,
    STABLEHLO_MIN,
    STABLEHLO_MAX,
    STABLEHLO_ALL,
    STABLEHLO_ANY,
    STABLEHLO_REDUCTIONS
};

/* Store op(*acc, *v) in *acc, both of one type. Integers wrap; ALL and ANY give 1 or 0 of that type; FLOAT16 is computed in float
 * and rounded each time. */
typedef void (*stablehlo_combine)(void *acc, const void *v);

/* Return the function, or NULL if the type has none: types of less than a byte, STRING, BFLOAT16 and complex numbers. */
stablehlo_combine stablehlo_combiner(enum stablehlo_reduction op, enum tensor_type type);

/* Find the reduction that the subgraph computes: STABLEHLO_REPLACE without an operator, else its single operator. Fails with
 * ST_BAD_MODEL if the index is beyond the model's subgraphs, with ST_UNSUPPORTED for several or other operators. */
enum status stablehlo_reduction_of(const struct cpu_call *c, int64_t subgraph, enum stablehlo_reduction *op, struct err *err);
