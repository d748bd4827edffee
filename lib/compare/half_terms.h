/* SPDX-License-Identifier: Apache-2.0 */
/* half_terms.h - the error of a single node in half precision, and the question if it comes from terms that cancel.
 *
 * A term that is stored in half precision is off by up to 2^-11 of itself, so that a sum may be off by 2^-11 of the sum of its
 * terms' absolute values, however small the sum itself is. */
#ifndef DELEGAUGE_HALF_TERMS_H
#define DELEGAUGE_HALF_TERMS_H

#include "lib/graph/kernel.h"

/* Return true if half_terms knows the node: float CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV, FULLY_CONNECTED, BATCH_MATMUL, SUM,
 * MEAN, AVERAGE_POOL_2D, ADD, SUB, whose shapes are known before they run. */
bool half_terms_known(const struct node *n);

/* Write the largest |sum| of a node's output to *sum, and the largest sum of |terms| to *terms, the bias a term of both, fused
 * activations left out. The node is a known one that has run, whose operands have their content and shapes. Averages are both
 * divided alike. Runs the reference kernel twice more, with sums of double, on copies. Not finite if an operand is not. Fails as
 * the kernel does, and with ST_NOMEM. */
enum status half_terms(const struct node *n, struct threads *threads, double *sum, double *terms, struct err *err);

/* Measure how far the node alone is off in half precision: its reference kernel on operands and constants rounded to halves, its
 * outputs rounded too (as half_store.h has it, but constants that do not fit become infinite), against the FLOAT32 outputs that it
 * has. *error is the largest difference, in terms of the largest |output|; INFINITY if one is finite and the other is not. 0 if
 * node_rerun_possible says no, and without FLOAT32 outputs. Fails as above. */
enum status half_own_error(const struct node *n, struct threads *threads, double *error, struct err *err);

#endif
