/* SPDX-License-Identifier: Apache-2.0 */
/* macs.h - multiply-accumulate operations of a node: a device-free measure of where a model's work is.
 *
 * From the shapes alone: which is asked of a node after graph_infer(). Each kernel that is made of such operations names its
 * formula in struct cpu_kernel (kernel.h), so that lib/ops/ops.def stays the only list of operators. */
#ifndef DELEGAUGE_MACS_H
#define DELEGAUGE_MACS_H

#include "lib/graph/graph.h"

/* 0 for operators that are not made of multiply-accumulates (elementwise, pooling, moving data), and where nobody knows. */
uint64_t node_macs(const struct node *n);

/* Whether node_macs is the answer: false for operators without a kernel, for those that name macs_unknown, where an operand is
 * missing or of another rank than its operator has, and where shapes are known only while running. */
bool node_macs_known(const struct node *n);

/* What a formula returns that has no answer. */
#define MACS_UNKNOWN UINT64_MAX

/* ---- the formulas ---- */

/* For operators that compute what no formula here counts: those that run subgraphs, Fourier transforms. */
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

/* Recurrent operators: every constant weight matrix meets every step of every batch; the steps are what input 0 has beside its
 * last dimension. */
uint64_t macs_recurrent(const struct node *n);

#endif
