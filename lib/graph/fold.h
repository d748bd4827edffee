/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h - constant folding: nodes that do not depend on the inputs are computed at plan time. */
#pragma once

#include "lib/graph/graph.h"

/* Run the node's reference kernel once if all its inputs are constant (or if it reads only their shapes), and make its outputs
 * constants in g->folded. A node that cannot be folded (stateful, of unknown type, with outputs more than four times its inputs,
 * failing) stays unchanged, and runs or fails later like any other. Fails only with ST_NOMEM. */
enum status node_fold(struct graph *g, struct node *n, struct err *err);
