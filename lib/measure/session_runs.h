/* SPDX-License-Identifier: Apache-2.0 */
/* session_runs.h - a session's runs as callbacks of struct loop_job and struct contender; their arg is the session. */
#pragma once

#include "lib/session/session.h"

static inline enum status session_runs_once(void *session, struct err *err)
{
    return session_run(session, err);
}

static inline uint64_t session_runs_outside_ns(void *session)
{
    return session_outside_ns(session);
}
