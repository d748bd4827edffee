/* SPDX-License-Identifier: Apache-2.0 */
/* placement.h - what ran where: said after every prepare, so that no fallback is silent. */
#ifndef DELEGAUGE_CMD_PLACEMENT_H
#define DELEGAUGE_CMD_PLACEMENT_H

#include "../lib/session.h"

struct placement {
    uint32_t n_nodes, n_delegated, n_cpu, n_folded, n_partitions;
};

/* Of a prepared session. */
struct placement placement_of(const struct session *s);

/* TFLite's line about the delegate (NULL: none), why the rest stays on the CPU, and the counts. */
void placement_say(const struct session *s, const struct delegate *d);

/* "Following operations are not supported by GPU delegate:" with one line per op and reason, and the counts below it. Nothing
 * where no node stays on the CPU. */
void placement_say_unsupported(const struct graph *g, const struct partitioning *p, const char *label);

#endif
