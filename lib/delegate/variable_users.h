/* SPDX-License-Identifier: Apache-2.0 */
/* variable_users.h - who sees a resource variable besides one partition.
 *
 * Variables have names, and whatever a session runs may use them: other nodes, subgraphs that are called, subgraphs that are handed
 * the handle. Where nobody else does, the content need not leave the delegate between two runs. */
#ifndef DELEGAUGE_VARIABLE_USERS_H
#define DELEGAUGE_VARIABLE_USERS_H

#include "lib/delegate/partition.h"

/* Whether in a session on g, inferred, none but nodes of p read or assign `variable`, a tensor of g that stands for a resource
 * variable, from the first run after a reset on; CALL_ONCE may have set it before (variable_init_only). False, too, for a graph
 * that others call: its session may be prepared again while variables keep their content. */
bool variable_is_private(const struct graph *g, const struct partition *p, const struct tensor *variable);

#endif
