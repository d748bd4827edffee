/* SPDX-License-Identifier: Apache-2.0 */
/* macs.h - multiply-accumulate operations of a node: a measure of work that does not depend on the device.
 *
 * They follow from the shapes: call these functions after graph_infer(). A kernel with such operations names its formula in struct
 * cpu_kernel (kernel.h), so that lib/ops/ops.def stays the only list of operators. */
#pragma once

#include "lib/graph/graph.h"

/* Return the number of multiply-accumulates; 0 for operators without any (elementwise, pooling, moving data), and if unknown. */
uint64_t node_macs(const struct node *n);

/* Return true if node_macs is right; false for operators without a kernel or with macs_unknown, if an operand is missing or has a
 * wrong rank, and if shapes are known only while running. */
bool node_macs_known(const struct node *n);

/* The result of a formula if the number is unknown. */
#define MACS_UNKNOWN UINT64_MAX

/* ---- the formulas ---- */

/* Return MACS_UNKNOWN, for operators without a formula: operators that run subgraphs, Fourier transforms. */
uint64_t macs_unknown(const struct node *n);

/* Filter [oc,kh,kw,c/groups] and [kd,kh,kw,c/groups,oc]: each output element is the product of one filter. */
uint64_t macs_conv(const struct node *n);
uint64_t macs_conv_3d(const struct node *n);

/* Filter [1,kh,kw,c]: each output element is the product of one channel's window. */
uint64_t macs_depthwise_conv(const struct node *n);

/* Filter [oc,kh,kw,c] (3D: [kd,kh,kw,oc,c]): each element of input 2 meets the whole filter of its channel; it is input 0 of the
 * custom operator with a bias. Products that fall beyond the output count too. */
uint64_t macs_transpose_conv(const struct node *n);
uint64_t macs_conv_3d_transpose(const struct node *n);
uint64_t macs_transpose_conv_bias(const struct node *n);

/* Filter [units,c]. */
uint64_t macs_fully_connected(const struct node *n);

/* Input 0 [...,rows,depth], or with adj_x [...,depth,rows]. */
uint64_t macs_batch_matmul(const struct node *n);

/* Recurrent operators: every constant weight matrix meets every step of every batch; the number of steps is the product of input
 * 0's dimensions beside the last. */
uint64_t macs_recurrent(const struct node *n);
