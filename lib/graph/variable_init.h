/* SPDX-License-Identifier: Apache-2.0 */
/* variable_init.h - CALL_ONCE that does nothing but give resource variables their initial values, as nearly all files have it.
 *
 * Such a node need not be a step of each run: it is done with the first one after session_prepare or a reset, before all others.
 */
#ifndef DELEGAUGE_VARIABLE_INIT_H
#define DELEGAUGE_VARIABLE_INIT_H

#include "lib/graph/graph.h"

/* True if `n`, a node of g, is one whose subgraph assigns constants of the file to variables that it names itself and does nothing
 * else, and no node before it reads or changes any state, but others of this kind. node.folded of the nodes before it must be set
 * already. */
bool variable_init_only(const struct graph *g, const struct node *n);

#endif
