/* SPDX-License-Identifier: Apache-2.0 */
/* macs.h - multiply-accumulate operations of a node: a device-free measure of where a model's work is. */
#ifndef DELEGAUGE_MACS_H
#define DELEGAUGE_MACS_H

#include "graph.h"

/* From the shapes alone. 0 for operators that are not made of multiply-accumulates (elementwise, pooling, moving data) and
 * where an operand is missing or of another rank than its operator has. */
uint64_t node_macs(const struct node *n);

#endif
