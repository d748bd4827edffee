/* SPDX-License-Identifier: Apache-2.0 */
/* compare_strings.h - EQUAL and NOT_EQUAL of STRING tensors. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_COMPARE_STRINGS_H
#define DELEGAUGE_KERNELS_CPU_OPS_COMPARE_STRINGS_H

#include "kernels_cpu/common/broadcast.h"

/* A prepare function: both inputs are STRING, output 0 is BOOL; cpu_bad_type's status otherwise. */
enum status compare_strings_prepare(struct cpu_call *c, struct err *err);

/* A run function: output 0 says at which places the strings of both inputs, broadcast against each other, have the same bytes (or
 * not the same). ST_BAD_MODEL if a tensor's content is broken (strings_check). */
enum status compare_strings_run(struct cpu_call *c, bool same, struct err *err);

#endif
