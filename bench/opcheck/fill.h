/* SPDX-License-Identifier: Apache-2.0 */
/* fill.h - seeded content of a case's tensors, the same bytes on every machine. */
#pragma once

#include "bench/opcheck/opcheck.h"

/* Return a splitmix64 state for the tensor that these names and numbers identify. */
uint64_t fill_seed(const char *kernel, const char *name, uint32_t tensor, uint64_t seed);

/* Store the tensor's size in *bytes; strings count as encoded. Fails, with 0 in *bytes, if a dimension is negative or the tensor
 * too large for a test case. */
enum status fill_bytes(const struct case_tensor *t, size_t *bytes, struct err *err);

/* Write fill_bytes(t) bytes of content to `out`. */
void fill_tensor(const struct case_tensor *t, uint64_t state, void *out);
