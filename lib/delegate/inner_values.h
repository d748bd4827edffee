/* SPDX-License-Identifier: Apache-2.0 */
/* inner_values.h - host memory for tensors inside a partition, one block each, for delegates that do not share memory. */
#pragma once

#include "lib/delegate/delegate.h"

struct inner_values {
    struct tensor **of; /* [n] tensors whose data was allocated here */
    size_t n;
    uint64_t bytes; /* of all of them */
};

/* Allocate data, aligned to VECTOR_ALIGN, for every output and intermediate tensor of p's nodes that has none. Call it from
 * prepare, when the session has placed the partition's inputs and outputs. `v` is zeroed before; free it after an error, too. Fails
 * only with ST_NOMEM. */
enum status inner_values_place(struct inner_values *v, const struct partition *p, struct err *err);

/* Free the memory, set the tensors' data to NULL, leave *v zeroed. */
void inner_values_free(struct inner_values *v);
