/* SPDX-License-Identifier: Apache-2.0 */
/* computation.h - the subgraph with which StableHLO's scatter and reduce_window combine two elements. */
#pragma once

#include "bench/models/builder.h"

/* Add a subgraph (a, b) -> op(a, b) on scalars of this type. `op` is an enum builtin, or -1: the subgraph returns b. */
void stablehlo_computation(struct builder *b, enum tensor_type type, int op);
