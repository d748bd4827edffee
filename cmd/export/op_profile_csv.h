/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_csv.h - an op profile as one table that any reader of CSV takes (RFC 4180). */
#ifndef DELEGAUGE_CMD_OP_PROFILE_CSV_H
#define DELEGAUGE_CMD_OP_PROFILE_CSV_H

#include "lib/measure/op_profile.h"

/* Write a header line and a line for each row in order of execution, each ended by CR and LF: phase (init, run), row, node type,
 * backend, partition (-1: CPU), nodes (with blanks between), name, variant and fusion, type and shape of the output, times in
 * microseconds (first, average, median, minimum, maximum), share of all rows in percent, multiply-accumulates, GFLOP/s, bytes,
 * GB/s. A cell is empty if nothing is known, and work_row names the row that has the work of this one. Texts are as they are in the
 * model, quoted if they hold a comma, a quote or the end of a line. */
void op_profile_csv_header(FILE *to);
enum status op_profile_csv(FILE *to, const char *phase, const struct op_profile *p, struct err *err);

#endif
