/* SPDX-License-Identifier: Apache-2.0 */
/* variable_init.h - CALL_ONCE nodes that only assign initial values to resource variables, as in nearly all files.
 *
 * Such a node is no step of the plan: the first run after session_prepare or a reset executes it before all others. */
#pragma once

#include "lib/graph/graph.h"

/* Return true if `n`, a node of g, is a CALL_ONCE whose subgraph only assigns constants to variables that it names itself, and no
 * earlier node of g, except others of this kind, reads or changes state. node.folded of earlier nodes must be set. */
bool variable_init_only(const struct graph *g, const struct node *n);
