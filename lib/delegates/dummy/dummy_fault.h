/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_fault.h - errors that the dummy delegate makes on purpose, each as GPU delegates have made it.
 *
 * A fault spoils one node or several, after its CPU kernel ran, or instead of it. Adding one: a function and a row of the table in
 * dummy_fault.c. */
#ifndef DELEGAUGE_DELEGATES_DUMMY_FAULT_H
#define DELEGAUGE_DELEGATES_DUMMY_FAULT_H

#include "lib/graph/kernel.h"

struct dummy_fault_kind;

/* "nan@17", "offset=0.5@ADD": what is wrong, by how much where the kind takes a number, and at which nodes. */
struct dummy_fault {
    const struct dummy_fault_kind *kind;
    float value;  /* of `offset`; 0 where the kind takes none */
    char at[160]; /* a node's index in the file, the name of an operator, or that of a node's first output */
};

/* Reads a fault from text[n]; ST_USAGE says what is known where it is none. */
enum status dummy_fault_read(const char *text, size_t n, struct dummy_fault *out, struct err *err);

/* Whether it is meant for this node. */
bool dummy_fault_is_at(const struct dummy_fault *f, const struct node *n);

/* ST_USAGE where the fault would change nothing of the node: it has no window, its output is read once. `g` is the node's. */
enum status dummy_fault_check(const struct dummy_fault *f, const struct graph *g, const struct node *n, struct err *err);

/* Runs the node's kernel, prepared in *c, with the fault. *kept holds what `stale` keeps from one run to the next: NULL to begin
 * with, the caller frees it. Fails as the kernel does, or for want of memory. */
enum status dummy_fault_run(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err);

#endif
