/* SPDX-License-Identifier: Apache-2.0 */
/* op_cases.h - the test cases of every operator of lib/ops/ops.def: an operator without any does not link. */
#ifndef DELEGAUGE_BENCH_OP_CASES_H
#define DELEGAUGE_BENCH_OP_CASES_H

#include "bench/opcheck/case_model.h"

struct op_cases {
    const char *kernel;          /* the name of its row in lib/ops/ops.def, "add" */
    const struct op_case *cases; /* ends with a NULL name */
};

/* In the order of op_table; a row more at the end, of NULLs. */
extern const struct op_cases op_cases[];

#endif
