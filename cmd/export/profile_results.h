/* SPDX-License-Identifier: Apache-2.0 */
/* profile_results.h - an op profile, the phases of start and run, and the device's programs as results. */
#pragma once

#include "cmd/print/results.h"
#include "lib/measure/op_profile.h"
#include "lib/measure/phases.h"
#include "lib/session/session.h"

/* Sections to fill; a page has headings for the first of each line. */
struct profile_sections {
    struct result_section *start, *programs; /* parts of the start; programs that the session's delegates made ready */
    struct result_section *run, *share;      /* parts of a profiled run; how it compares with a timed one */
    struct result_section *operators, *work; /* for pages: types, and rows, the longest first; for text: rows as they run */
};

/* Add phases and programs, and put "phases_us" and "programs" into the report's root. `timed_us`: average of the timed runs, NAN
 * if there are none. */
void profile_phases(const struct profile_sections *to, struct report *r, const struct session *s, const struct bench_times *t,
                    const struct op_profile *p, double timed_us);

/* Add the operators and put "profile" into the root; null if the profile has no runs. Fails only with ST_NOMEM. */
enum status profile_results(const struct profile_sections *to, struct report *r, const struct op_profile *p, struct err *err);

/* Add the rows of a profile as a table for CSV: phase (init, run), row, node type, backend, partition (-1: CPU), nodes (with blanks
 * between), name, variant and fusion, type and shape of the output, times in microseconds (first, average, median, minimum,
 * maximum), share of all rows in percent, multiply-accumulates, GFLOP/s, bytes, GB/s. A cell is empty if nothing is known, and
 * work_row names the row that has the work of this one. Fails only with ST_NOMEM. */
struct result_table *profile_csv_table(struct result_section *to);
enum status profile_csv_rows(struct result_table *t, const char *phase, const struct op_profile *p, struct err *err);
