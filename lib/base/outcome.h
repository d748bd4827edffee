/* SPDX-License-Identifier: Apache-2.0 */
/* outcome.h - how a tool's work ended where nothing failed, and the exit status of it; failures have theirs in err.h. */
#ifndef DELEGAUGE_OUTCOME_H
#define DELEGAUGE_OUTCOME_H

#include <stdbool.h>

enum outcome {
    OUTCOME_MET,         /* all of it ran, and what the command line requires is so */
    OUTCOME_MISSED,      /* all of it ran, but results differ, or a requirement is not met */
    OUTCOME_INTERRUPTED, /* Ctrl-C or SIGTERM: what ran until then is reported, and no requirement was judged */
};

enum outcome outcome_of(bool met, bool interrupted);

/* 0, 1 and 130, as shells have it for a program that SIGINT ended; for SIGTERM too. */
int outcome_exit_code(enum outcome o);

#endif
