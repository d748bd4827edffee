/* SPDX-License-Identifier: Apache-2.0 */
/* compare_strings.h - EQUAL and NOT_EQUAL of STRING tensors. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_COMPARE_STRINGS_H
#define DELEGAUGE_KERNELS_CPU_OPS_COMPARE_STRINGS_H

#include "../common/broadcast.h"

enum status compare_strings_prepare(struct cpu_call *c, struct err *err);

/* Output 0 says where the strings of both inputs are the same (or not the same). */
enum status compare_strings_run(struct cpu_call *c, bool same, struct err *err);

#endif
