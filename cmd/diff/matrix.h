/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.h - several test sides in one comparison: each delegate of --delegates in each precision of --precisions.
 *
 * Row 0 is the comparison's own test side, of which everything else is told; all rows see the same runs of the reference. */
#ifndef DELEGAUGE_CMD_MATRIX_H
#define DELEGAUGE_CMD_MATRIX_H

#include "cmd/tool/delegates.h"
#include "lib/compare/trial.h"

#define MATRIX_MAX_ROWS 16

struct matrix_row {
    const struct delegate_choice *choice; /* NULL: the CPU kernels */
    const char *asked;                    /* precision, as its flag has it; NULL: the delegate has none to choose */
    struct delegate *opened;              /* owned, but for row 0, where it is the tool's; NULL: the CPU kernels */
    struct trial *trial;                  /* the comparison's test in row 0, else &own */
    struct trial own;
    enum status failed; /* a row that could not be opened or run is told, and keeps no other from it; not row 0 */
    struct err err;
};

/* No rows where neither flag was given. */
struct matrix {
    struct matrix_row rows[MATRIX_MAX_ROWS];
    uint32_t n;
};

/* What the delegate says of the row, or what was asked where it says nothing: "fp16_storage"; "fp32" for the CPU kernels. */
const char *matrix_precision(const struct matrix_row *row);

/* Whether the outputs of row i fail in less than float32, and those of the same delegate's row in float32 pass: 1; fail too: 0; -1
 * where row i does not fail, is in float32, or there is no such row that ran. */
int matrix_float32_repairs(const struct matrix *m, uint32_t i);

/* Whether every row ran and passed. */
bool matrix_passed(const struct matrix *m);

#endif
