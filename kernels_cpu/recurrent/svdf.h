/* SPDX-License-Identifier: Apache-2.0 */
/* svdf.h - description of an SVDF node, as the kernels of the CPU and of the GPU read it. */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"
#include "lib/graph/kernel.h"

enum { SVDF_X, SVDF_FEATURE, SVDF_TIME, SVDF_BIAS, SVDF_STATE, SVDF_INPUTS };

struct svdf {
    int32_t batch, rank, filters, units, memory;
    const struct tensor *feature; /* [filters,n]: of floats or 8 bits; INT8 */
    const struct tensor *time;    /* [filters,memory]: like these; INT16 */
    const struct tensor *bias;    /* [units] or NULL: FLOAT32; INT32 */
    /* INT8 alone */
    int32_t x_zero, y_zero;
    struct fixed_mul to_state, to_output;
};

/* Read and check the node, whose input is FLOAT32 or INT8; the state is a variable of FLOAT32 or INT16,
 * [batch, filters, memory]. */
enum status svdf_from_node(const struct node *n, struct svdf *out, struct err *err);
