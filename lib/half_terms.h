/* SPDX-License-Identifier: Apache-2.0 */
/* half_terms.h - how much of a sum is lost when its terms cancel: the sums of a node, and what the absolute values of the terms add
 * up to.
 *
 * A term that is stored in half precision is off by up to 2^-11 of itself, so that a sum may be off by 2^-11 of what the absolute
 * values add up to, however small the sum itself is. */
#ifndef DELEGAUGE_HALF_TERMS_H
#define DELEGAUGE_HALF_TERMS_H

#include "kernel.h"

/* Whether half_terms knows the node: float CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV, FULLY_CONNECTED, BATCH_MATMUL, SUM, MEAN,
 * AVERAGE_POOL_2D, ADD, SUB. */
bool half_terms_known(const struct node *n);

/* Of a known node that has run, whose operands have their content and shapes: writes the largest |sum| of its output to *sum, and
 * the largest sum of |terms| to *terms, the bias a term of both, fused activations left out. Averages are both divided alike. Runs
 * the reference kernel twice more, with sums of double, on copies; the node and its tensors stay as they are. Not finite where an
 * operand is not. Fails as preparing the kernel does, and with ST_NOMEM. */
enum status half_terms(const struct node *n, struct threads *threads, double *sum, double *terms, struct err *err);

#endif
