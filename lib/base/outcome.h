/* SPDX-License-Identifier: Apache-2.0 */
/* outcome.h - the end of a tool's work if nothing failed, and its exit status; failures have theirs in err.h. */
#ifndef DELEGAUGE_OUTCOME_H
#define DELEGAUGE_OUTCOME_H

#include <stdbool.h>

enum outcome {
    OUTCOME_MET,         /* all of it ran, and the requirements of the command line are met */
    OUTCOME_MISSED,      /* all of it ran, but results differ, or a requirement is not met */
    OUTCOME_INTERRUPTED, /* Ctrl-C or SIGTERM: the runs until then are reported, and no requirement was judged */
};

enum outcome outcome_of(bool met, bool interrupted);

/* Return 0, 1 or 130, as shells have it for a program that SIGINT ended; for SIGTERM too. */
int outcome_exit_code(enum outcome o);

#endif
