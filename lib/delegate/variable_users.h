/* SPDX-License-Identifier: Apache-2.0 */
/* variable_users.h - users of a resource variable outside one partition.
 *
 * Other nodes, called subgraphs, and subgraphs that receive the handle may all use a variable by its name. If none does, its
 * content need not leave the delegate between two runs. */
#pragma once

#include "lib/delegate/partition.h"

/* Return true if only nodes of p read or assign `variable`, a tensor of g that stands for a resource variable, in a session on g
 * after the initial assignments of CALL_ONCE (variable_init_only). g is inferred. Return false for a graph that others call: its
 * session may be prepared again while variables keep their content. */
bool variable_is_private(const struct graph *g, const struct partition *p, const struct tensor *variable);
