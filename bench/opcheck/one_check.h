/* SPDX-License-Identifier: Apache-2.0 */
/* one_check.h - checks that a delegate refuses a node that the CPU's kernel refuses, with the same sentence
 * (lib/delegate/claim.c). */
#pragma once

#include "lib/delegate/delegate.h"

/* Ask `d` about a graph with inferred shapes for which no CPU session could be prepared; `said` is that failure's message. Fails
 * with a message if `d` takes the node, or gives another reason. */
enum status one_check_holds(const struct graph *g, struct delegate *d, const char *said, struct err *err);
