/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_fault.h - errors that the dummy delegate makes on purpose, all of them kinds that real GPU delegates have made.
 *
 * A fault spoils the outputs of one or several nodes, after their CPU kernels. To add one, write a function and a row of the table
 * in dummy_fault.c, or in dummy_op_faults.c if only one operator has it. */
#pragma once

#include "lib/graph/kernel.h"

struct dummy_fault_kind;

/* A fault as the user writes it: "nan@17", "offset=0.5@ADD". */
struct dummy_fault {
    const struct dummy_fault_kind *kind;
    float value;  /* added to each element by `offset`; `race` adds 1 to the first element in each run of so many; else 0 */
    char at[160]; /* nodes to spoil: an index in the file, an operator's name, or the name of a node's first output */
};

/* Read a fault from text[n]. Fails with ST_USAGE, and a list of the known kinds, if the text is not a fault. */
enum status dummy_fault_read(const char *text, size_t n, struct dummy_fault *out, struct err *err);

/* Return true if f->at selects this node. */
bool dummy_fault_is_at(const struct dummy_fault *f, const struct node *n);

/* Check that the fault can spoil node `n` of graph `g`. Fails with ST_USAGE if not: `padding` needs a convolution, for example, and
 * `alias` an output that is read more than once. */
enum status dummy_fault_check(const struct dummy_fault *f, const struct graph *g, const struct node *n, struct err *err);

/* Run the kernel of the node, prepared in *c, with the fault. *kept holds the data that `stale` keeps between runs: NULL before the
 * first run; the caller frees it. Fails as the kernel does, with the outputs as that left them, and with ST_NOMEM. */
enum status dummy_fault_run(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err);
