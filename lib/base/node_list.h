/* SPDX-License-Identifier: Apache-2.0 */
/* node_list.h - lists of nodes by index and range: "3,7-9". */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"

/* A range of indices in the file's operator list, as tools print them. */
struct node_range {
    uint32_t first, last; /* both inclusive, first <= last */
};

/* Ranges in ascending order, none adjacent to another, so that equal sets are equal lists. Zeroed: no node. */
struct node_list {
    struct node_range *ranges; /* [n] malloc */
    uint32_t n;
};

/* Parse a list of nodes in any order, with repetitions; text "" or NULL: no node. The caller frees *out with node_list_fini. Fails
 * with ST_USAGE, with a message that begins with `flag` ("--gpu_fp32_nodes"), if a part is neither index nor range, or with
 * ST_NOMEM; *out is then zeroed. */
enum status node_list_read(const char *flag, const char *text, struct node_list *out, struct err *err);

/* Free the list, and zero it. */
void node_list_fini(struct node_list *l);

/* Return true if the list has that index. A NULL list is empty. */
bool node_list_has(const struct node_list *l, uint32_t index);
