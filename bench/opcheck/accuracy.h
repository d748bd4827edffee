/* SPDX-License-Identifier: Apache-2.0 */
/* accuracy.h - the required accuracy of each operator on the GPU in each precision (accuracy.def). */
#pragma once

#include "bench/opcheck/gpus.h"
#include "lib/graph/op.h"

/* Tolerances as in compare.h, relative to the output's largest magnitude. A case that needs a larger one has its own (gpu_tol). */
struct accuracy {
    const char *op; /* NULL: all operators without a row */
    double tol[PRECISION_COUNT];
};

/* Return the operator's row of accuracy.def, or the row for all others. */
struct accuracy accuracy_of(const char *op);

/* Largest distances of passed cases, to maintain accuracy.def (opcheck --accuracy). Zeroed: they are not recorded. */
struct accuracy_met {
    double (*most)[PRECISION_COUNT]; /* [op_table_n] negative: no run */
};

/* Allocate *m. Fails only with ST_NOMEM. accuracy_met_free accepts *m after a failure, and zeros. */
enum status accuracy_met_new(struct accuracy_met *m, struct err *err);
void accuracy_met_free(struct accuracy_met *m);

/* Record that a case of `op` passed at this distance from the CPU. */
void accuracy_note(struct accuracy_met *m, const struct op *op, enum precision p, double distance);

/* Print a line for each operator: the largest distance and the limit in each precision. */
void accuracy_print(const struct accuracy_met *m);
