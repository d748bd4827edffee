/* SPDX-License-Identifier: Apache-2.0 */
/* inner_values.h - memory of the values that stay inside of a partition, for delegates that keep each of them by itself. */
#ifndef DELEGAUGE_DELEGATES_INNER_VALUES_H
#define DELEGAUGE_DELEGATES_INNER_VALUES_H

#include "lib/delegate/delegate.h"

struct inner_values {
    struct tensor **of; /* [n] whose data is this memory */
    size_t n;
    uint64_t bytes;
};

/* For prepare, when the session has given memory to what crosses the partition's border: gives some, at multiples of VECTOR_ALIGN,
 * to all that its nodes make and that has none. `v` is all zero before, and to be freed after an error, too. */
enum status inner_values_place(struct inner_values *v, const struct partition *p, struct err *err);

/* What delegate_kernel_ops.memory says of them. */
struct delegate_memory inner_values_memory(const struct inner_values *v);

void inner_values_free(struct inner_values *v);

#endif
