/* SPDX-License-Identifier: Apache-2.0 */
/* profile_output.h - the destination and the form of an op profile: --op_profiling_output_mode, --op_profiling_output_file and
 * --profiling_output_csv_file. */
#pragma once

#include "cmd/export/profile_results.h"
#include "cmd/host/machine_track.h"

/* In the order of the words of --op_profiling_output_mode. */
enum profile_mode {
    PROFILE_STDOUT, /* TFLite's tables, and ours behind them */
    PROFILE_CSV,    /* profile_csv_rows */
    PROFILE_PROTO,  /* op_profile_proto.h */
    PROFILE_JSON,   /* node data of Model Explorer, and */
    PROFILE_TRACE   /* a trace: op_profile_trace.h */
};

/* Values that the flags fill; texts point into argv, "" if not given. */
struct profile_flags {
    bool enabled; /* --enable_op_profiling */
    enum profile_mode mode;
    const char *file;     /* "": standard output */
    const char *csv_file; /* TFLite's layout of CSV, besides */
};

/* True if the flags ask for a profile: by name, or by naming its destination. */
bool profile_wanted(const struct profile_flags *f);

/* The data that is known when the runs are over. */
struct profile_result {
    const char *model; /* its path */
    const struct session *session;
    const struct bench_times *times;
    const struct op_profile *run;            /* with runs */
    const struct machine_track *machine;     /* of all runs, for a trace */
    const struct profile_sections *sections; /* filled, of the same profile */
};

/* Check the flags: ST_USAGE if the mode needs a file and none is given. tool_begin tries whether files can be written. */
enum status profile_check(const struct profile_flags *f, struct err *err);

/* Write all outputs that the flags ask for; files whole or not at all. */
enum status profile_write(const struct profile_flags *f, const struct profile_result *p, struct err *err);
