/* SPDX-License-Identifier: Apache-2.0 */
/* variable_shape.h - resource variables whose shape the file fixes.
 *
 * A variable has the shape of the value last assigned to it, so that the shape of READ_VARIABLE, and of everything after it, is
 * known only while running. In nearly all files, though, all assignments to a variable and all reads of it have the same shape. */
#pragma once

#include "lib/graph/graph.h"

/* Set reads_fixed_shape of each READ_VARIABLE of g whose variable (a VAR_HANDLE with its container and name) is assigned at least
 * once in the model, always with the shape that the file gives for the read's output, without unknown dimensions. An assignment
 * through a handle of unknown origin, in any subgraph, leaves all reads unset. If types and quantization agree too, set
 * node.variable of reads and assignments to one tensor of g per variable. Fails only with ST_NOMEM. */
enum status variable_shapes_find(struct graph *g, struct err *err);

/* Return true for a VAR_HANDLE with one output, the variable's number. */
bool node_names_variable(const struct node *n);
