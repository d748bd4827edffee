/* SPDX-License-Identifier: Apache-2.0 */
/* accuracy.h - how exactly each operator is to be computed on the GPU, in each precision: a table. */
#ifndef DELEGAUGE_BENCH_ACCURACY_H
#define DELEGAUGE_BENCH_ACCURACY_H

#include "bench/opcheck/gpus.h"
#include "lib/graph/op.h"

/* Tolerances as of compare.h: of the output's largest magnitude. A case that needs more states it itself (gpu_tol). */
struct accuracy {
    const char *op; /* NULL: all that have no row */
    double tol[PRECISION_COUNT];
};

/* The row of accuracy.def for the operator, or the one for all others. Never fails. */
struct accuracy accuracy_of(const char *op);

/* The largest distances that were met, by which the table is kept: opcheck --accuracy. Zeroed: nobody wants to know. */
struct accuracy_met {
    double (*most)[PRECISION_COUNT]; /* [op_table_n], negative: no run */
};

/* Fails only with ST_NOMEM; accuracy_met_free accepts the struct after a failure too, and zeros. */
enum status accuracy_met_new(struct accuracy_met *m, struct err *err);
void accuracy_met_free(struct accuracy_met *m);

/* Note that a case of `op` passed, at this distance from the CPU. */
void accuracy_note(struct accuracy_met *m, const struct op *op, enum precision p, double distance);

/* Prints a line for each operator: for each precision the largest distance and the table's limit. */
void accuracy_print(const struct accuracy_met *m);

#endif
