/* SPDX-License-Identifier: Apache-2.0 */
/* compare_strings.h - EQUAL and NOT_EQUAL of STRING tensors. */
#pragma once

#include "kernels_cpu/common/broadcast.h"

/* cpu_kernel.prepare: check that both inputs are STRING and output 0 is BOOL. Fails as cpu_bad_type. */
enum status compare_strings_prepare(struct cpu_call *c, struct err *err);

/* Store in output 0 if the strings of both inputs, broadcast against each other, have equal bytes (`same`) or different bytes.
 * Fails with ST_BAD_MODEL if a tensor's content is malformed (strings_check). */
enum status compare_strings_run(struct cpu_call *c, bool same, struct err *err);
