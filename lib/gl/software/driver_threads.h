/* SPDX-License-Identifier: Apache-2.0 */
/* driver_threads.h - how many threads a driver computes with that is software.
 *
 * Mesa's llvmpipe wakes its threads for every dispatch and sleeps until they are done, which takes 50 to 120 us, and 1.4 where
 * they wait awake (cmd/host/driver_waits.h); without any (LP_NUM_THREADS=0) it computes in the thread that calls, and a dispatch of
 * nothing takes 0.2 us. So a model of short dispatches is faster in one thread (bench/RESULTS.md). The variable is read when the
 * first display is opened, once for the process; other drivers do not know it. */
#pragma once

#include "lib/delegate/delegate.h"

/* Asks for LP_NUM_THREADS=0 where the dispatches of env->model are too short to share among `cores` processors. Asks for nothing
 * where they are long enough, where the model is not known, and where the user has set the variable. */
void gl_driver_threads(long cores, const struct delegate_environment *env);
