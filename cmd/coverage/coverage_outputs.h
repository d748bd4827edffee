/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_outputs.h - the files that op_coverage writes of one model, beside the text and the report.
 *
 * Each is written whole or not at all. They fail as file_write does, and with ST_NOMEM. */
#pragma once

#include "cmd/coverage/op_coverage.h"

/* One each; the flag that names the file was given. */
enum status coverage_write_html(const struct coverage_run *r, struct err *err);
enum status coverage_write_dot(const struct coverage_run *r, struct err *err);
enum status coverage_write_markdown(const struct coverage_run *r, struct err *err);
enum status coverage_write_node_data(const struct coverage_run *r, struct err *err);

/* The files of coverage_write_node_data, in the folder that was named. */
#define COVERAGE_NODE_DATA_FILES                                                                                                   \
    {                                                                                                                              \
        "verdict.json", "partition.json", "macs.json"                                                                              \
    }
