/* SPDX-License-Identifier: Apache-2.0 */
/* op_cases.h - the test cases of every operator of lib/ops/ops.def; an operator without cases does not link. */
#pragma once

#include "bench/opcheck/case_model.h"

struct op_cases {
    const char *kernel;          /* its name in lib/ops/ops.def: "add" */
    const struct op_case *cases; /* ends with a NULL name */
};

/* In the order of op_table, with a row of NULLs at the end. */
extern const struct op_cases op_cases[];
