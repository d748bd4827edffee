/* SPDX-License-Identifier: Apache-2.0 */
/* fill.h - the seeded content of a case's tensors: the same bytes on every machine. */
#ifndef DELEGAUGE_BENCH_FILL_H
#define DELEGAUGE_BENCH_FILL_H

#include "bench/opcheck/opcheck.h"

/* A splitmix64 state made from the names and numbers that identify a tensor. */
uint64_t fill_seed(const char *kernel, const char *name, uint32_t tensor, uint64_t seed);

/* Store the tensor's size. Fails if a dimension is negative or the tensor is too large for a test case; *bytes is then 0. Strings
 * count as fill_tensor will encode them. */
enum status fill_bytes(const struct case_tensor *t, size_t *bytes, struct err *err);

/* Writes fill_bytes(t) bytes. */
void fill_tensor(const struct case_tensor *t, uint64_t state, void *out);

#endif
