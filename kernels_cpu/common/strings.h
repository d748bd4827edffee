/* SPDX-License-Identifier: Apache-2.0 */
/* strings.h - the content of STRING tensors: int32 count, count + 1 int32 byte offsets from its start, then the characters. */
#pragma once

#include "lib/graph/kernel.h"

/* Check that the offsets are in range and that there is one string per element. Call it before the functions below. Fails with
 * ST_BAD_MODEL. */
enum status strings_check(const struct tensor *t, struct err *err);

/* Return string i, not NUL-terminated, borrowed from the tensor; *length in bytes. */
const char *strings_get(const struct tensor *t, size_t i, size_t *length);

/* Fill output `out`, whose shape is set, with strings pick[0], pick[1], ... of x; a negative index gives an empty string. Fails
 * with ST_NOMEM, also if the output would exceed INT32_MAX bytes. */
enum status strings_pick(struct cpu_call *c, uint32_t out, const struct tensor *x, const int32_t *pick, struct err *err);
