/* SPDX-License-Identifier: Apache-2.0 */
/* outcome.h - outcome and exit status of a tool that did not fail; err.h has those of failures. */
#pragma once

#include <stdbool.h>

enum outcome {
    OUTCOME_MET,         /* everything ran, and the requirements of the command line are met */
    OUTCOME_MISSED,      /* everything ran, but results differ or a requirement is not met */
    OUTCOME_INTERRUPTED, /* Ctrl-C or SIGTERM: completed runs are reported, no requirement was checked */
};

enum outcome outcome_of(bool met, bool interrupted);

/* Return 0, 1, or for an interruption (SIGTERM too) 130, the shells' status of a program ended by SIGINT. */
int outcome_exit_code(enum outcome o);
