/* SPDX-License-Identifier: Apache-2.0 */
/* half_terms.h - measures the error of a single node in half precision, and if it comes from terms that cancel.
 *
 * A term in half precision is off by up to 2^-11 of itself. A sum may thus be off by 2^-11 of the sum of its terms' absolute
 * values, however small the sum itself is. */
#pragma once

#include "lib/graph/kernel.h"

/* Return true if half_terms can measure the node: float CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV, FULLY_CONNECTED, BATCH_MATMUL,
 * SUM, MEAN, AVERAGE_POOL_2D, ADD or SUB, with shapes known before the run. */
bool half_terms_known(const struct node *n);

/* Compute the largest |sum| of a node's output into *sum, and its largest sum of |terms| into *terms. The bias is a term; a fused
 * activation is not applied; averages divide both alike. half_terms_known(n) is true and the node has run; its operands still have
 * content and shapes. Runs the reference kernel twice on copies, with sums of double. Results are not finite if an operand is not.
 * Fails as the kernel does, and with ST_NOMEM. */
enum status half_terms(const struct node *n, struct threads *threads, double *sum, double *terms, struct err *err);

/* Compute the error of the node alone in half precision: its reference kernel runs on operands and constants rounded to 16 bits,
 * and its rounded outputs (as in half_store.h, but constants that do not fit become infinite) are compared with its present FLOAT32
 * outputs. *error is the largest difference relative to the largest |output|; INFINITY if only one of two values is finite; 0 if
 * node_rerun_possible returns false, or without FLOAT32 outputs. Fails as half_terms does. */
enum status half_own_error(const struct node *n, struct threads *threads, double *error, struct err *err);
