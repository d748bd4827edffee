/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_text.h - an op profile as the tables that TFLite's profiler prints, as text and as its kind of CSV. */
#pragma once

#include "lib/measure/op_profile.h"

#define OP_PROFILE_INIT_TITLE "Profiling Info for Benchmark Initialization:"
#define OP_PROFILE_RUN_TITLE  "Operator-wise Profiling Info for Regular Benchmark Runs:"

/* Print TFLite's tables of one profile, without the title. As text, columns stand behind tabs. In TFLite's CSV they stand behind a
 * comma and a blank, numbers have up to six digits, and commas of a name are tabs; banners, blank lines and the sums at the end are
 * in it too, so that no reader of CSV takes all of it: profile_csv_rows has one that is. Fails only with ST_NOMEM, before anything
 * is written. */
enum status op_profile_tables(FILE *to, const struct op_profile *p, bool csv, struct err *err);
