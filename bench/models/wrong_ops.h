/* SPDX-License-Identifier: Apache-2.0 */
/* wrong_ops.h - a network of 10 to 20 nodes for each operator that GPU delegates compute wrong (scripts/test/wrong_ops_test.py). */
#pragma once

#include "bench/models/builder.h"

struct wrong_op {
    const char *fault; /* of the dummy delegate (lib/delegates/dummy/dummy_op_faults.c) */
    void (*build)(struct builder *b);
};

/* End with a NULL fault. The node to spoil makes the tensor "wrong". */
extern const struct wrong_op wrong_ops[];
