/* SPDX-License-Identifier: Apache-2.0 */
/* strings.h - the content of STRING tensors: int32 count, count + 1 int32 offsets from its start, then the characters. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_STRINGS_H
#define DELEGAUGE_KERNELS_CPU_COMMON_STRINGS_H

#include "lib/graph/kernel.h"

/* Checks that the content is sound and has one string per element. Call it before the functions below. */
enum status strings_check(const struct tensor *t, struct err *err);

/* String i, not terminated, borrowed from the tensor; *length in bytes. */
const char *strings_get(const struct tensor *t, size_t i, size_t *length);

/* Output `out`, whose shape is set, becomes strings pick[0], pick[1], ... of x; an index below 0 gives
 * an empty string. */
enum status strings_pick(struct cpu_call *c, uint32_t out, const struct tensor *x, const int32_t *pick, struct err *err);

#endif
