/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.h - several test sides in one comparison: each delegate of --delegates in each precision of --precisions, or each line of
 * --all_runtimes.
 *
 * Row 0 is the comparison's own test side, on which all other reports are made; all rows see the same runs of the reference. */
#pragma once

#include "cmd/tool/delegates.h"
#include "lib/compare/trial.h"

#define MATRIX_MAX_ROWS 16

struct matrix_row {
    const struct delegate_choice *choice; /* NULL: the CPU kernels */
    const char *name;                     /* of --all_runtimes; NULL: the row is of --delegates or --precisions */
    void *options;                        /* of its own, owned, with a name; NULL: the options of the command line */
    const char *asked;                    /* precision, as its flag has it; NULL: the delegate has no choice of precisions */
    struct delegate *opened;              /* owned, except that the tool owns row 0's; NULL: the CPU kernels */
    struct trial *trial;                  /* the comparison's test in row 0, else &own */
    struct trial own;
    enum status failed; /* status of a row that could not be opened or run, which stops no other row; not row 0 */
    struct err err;
    char wrong[96]; /* first nodes found to be off by themselves: "node 2 POW"; "": none, or nobody searched */
};

/* The rows; none if neither flag was given. */
struct matrix {
    struct matrix_row rows[MATRIX_MAX_ROWS];
    uint32_t n;
    char *text; /* that names and options point into; owned */
};

/* Return the row's name: that of --all_runtimes, else its delegate's, "none" for the CPU kernels. */
const char *matrix_name(const struct matrix_row *row);

/* Return the precision that the delegate reports for the row, or the one asked for if it reports none: "fp16_storage"; "fp32" for
 * the CPU kernels. */
const char *matrix_precision(const struct matrix_row *row);

/* Return 1 if the outputs of row i fail in less than float32 and the outputs of the same delegate's row in float32 pass; 0 if both
 * fail; -1 if row i does not fail, is in float32, or no such row ran. */
int matrix_float32_repairs(const struct matrix *m, uint32_t i);

/* True if every row ran and passed. */
bool matrix_passed(const struct matrix *m);
