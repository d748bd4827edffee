/* SPDX-License-Identifier: Apache-2.0 */
/* node_list.h - nodes of a model named by their indices and ranges of these: "3,7-9". */
#ifndef DELEGAUGE_NODE_LIST_H
#define DELEGAUGE_NODE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"

/* Indices as tools print them: places in the file's operator list. */
struct node_range {
    uint32_t first, last; /* both inclusive, first <= last */
};

/* In ascending order; no two ranges touch each other, so equal sets are equal lists. Zeroed: no node. */
struct node_list {
    struct node_range *ranges; /* [n] malloc */
    uint32_t n;
};

/* Read the nodes that `text` names ("" or NULL: no node), in any order, nodes more than once if need be. ST_USAGE with a message
 * that begins with `flag` ("--gpu_fp32_nodes") if a part of it is no index and no range of them; ST_NOMEM. *out is the caller's to
 * free with node_list_fini, zeroed after a failure. */
enum status node_list_read(const char *flag, const char *text, struct node_list *out, struct err *err);

void node_list_fini(struct node_list *l);

/* True if the list has the node of that index. NULL has none. */
bool node_list_has(const struct node_list *l, uint32_t index);

#endif
