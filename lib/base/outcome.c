/* SPDX-License-Identifier: Apache-2.0 */
/* outcome.c - the one table of exit statuses of runs that did not fail. */
#include "lib/base/outcome.h"

enum outcome outcome_of(bool met, bool interrupted)
{
    if (interrupted)
        return OUTCOME_INTERRUPTED;
    return met ? OUTCOME_MET : OUTCOME_MISSED;
}

int outcome_exit_code(enum outcome o)
{
    switch (o) {
    case OUTCOME_MET: return 0;
    case OUTCOME_MISSED: return 1;
    case OUTCOME_INTERRUPTED: break;
    }
    return 130;
}
