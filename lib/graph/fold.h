/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h - values that do not depend on the inputs, computed at plan time: dequantized weights, shape arithmetic. */
#ifndef DELEGAUGE_FOLD_H
#define DELEGAUGE_FOLD_H

#include "lib/graph/graph.h"

/* Run the node's reference kernel once if all its inputs are constant (or if it reads shapes alone), and make its outputs constants
 * in g->folded. A node that cannot be folded (stateful, unknown type, growing its input more than fourfold, failing) is left as it
 * is: it then runs, or reports its error, like any other. Fails only with ST_NOMEM. */
enum status node_fold(struct graph *g, struct node *n, struct err *err);

#endif
