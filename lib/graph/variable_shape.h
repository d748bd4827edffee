/* SPDX-License-Identifier: Apache-2.0 */
/* variable_shape.h - which resource variables have a shape that the file fixes.
 *
 * A variable has the shape of the value last assigned to it, so that the shape of READ_VARIABLE, and of everything after it, is
 * known only while running. In nearly all files, though, each assignment to a variable and each read of it have one and the same
 * shape. */
#ifndef DELEGAUGE_VARIABLE_SHAPE_H
#define DELEGAUGE_VARIABLE_SHAPE_H

#include "lib/graph/graph.h"

/* Set reads_fixed_shape of each READ_VARIABLE of g for which, over all subgraphs of the model, the variable (a VAR_HANDLE of that
 * container and name) is assigned at least once and every value assigned has in the file the shape of the read's output, with no
 * dimension left open. Of a handle that comes from elsewhere nothing is known: an assignment to one leaves every read unset. If
 * types and quantization agree as well, node.variable of reads and assignments is set: one tensor of g for each variable. Fails
 * only with ST_NOMEM. */
enum status variable_shapes_find(struct graph *g, struct err *err);

/* True for a VAR_HANDLE that gives the number of a variable and nothing else. */
bool node_names_variable(const struct node *n);

#endif
