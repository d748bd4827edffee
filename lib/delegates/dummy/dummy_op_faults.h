/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_op_faults.h - the parts of a planted fault, and the table of faults of single operators. */
#pragma once

#include "lib/graph/kernel.h"

struct dummy_fault;

struct dummy_fault_kind {
    const char *name;
    const char *value;                                                  /* word for its number in messages; NULL: it takes none */
    const char *(*refuse)(const struct graph *g, const struct node *n); /* why it cannot spoil the node; NULL: it can */
    /* Spoil the outputs, which the CPU kernel has computed. *kept is NULL before the first run: memory that the fault may allocate
     * and keep between runs, and that the caller frees. */
    enum status (*spoil)(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err);
};

/* End with a NULL name. Each fault needs a network in bench/models/wrong_ops.c and a row in bench/WRONG_OPS.md. */
extern const struct dummy_fault_kind dummy_op_faults[];
