/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_seen.h - a kind of planted error, and the kinds of one operator that GPU delegates have computed wrong. */
#pragma once

#include "lib/graph/kernel.h"

struct dummy_fault;

struct dummy_fault_kind {
    const char *name;
    const char *value;                                                  /* word for its number in messages; NULL: it takes none */
    const char *(*refuse)(const struct graph *g, const struct node *n); /* why it cannot spoil the node; NULL: it can */
    enum status (*run)(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err);
};

/* End with a NULL name. Each fault needs a network in bench/models/wrong_ops.c and a row in bench/WRONG_OPS.md. */
extern const struct dummy_fault_kind dummy_seen[];
