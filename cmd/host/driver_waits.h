/* SPDX-License-Identifier: Apache-2.0 */
/* driver_waits.h - lets the threads of a software driver poll for a while before they sleep (--driver_poll_us).
 *
 * Mesa's llvmpipe wakes a thread for each processor at every dispatch and sleeps until they are done. Dispatches are microseconds
 * apart, and waking and sleeping cost tens of microseconds; other thread pools poll first (GCC's GOMP_SPINCOUNT, pthreadpool,
 * lib/base/threads.c), but llvmpipe has no such setting. So the tools define a pthread_cond_wait, which the driver finds before
 * libc's. It polls, yielding the processor each time, and then sleeps as libc's does; it may return at any time (POSIX: spurious
 * wakeups), and the caller checks its condition again. It equals libc's until driver_waits_awake is called. Programs that embed the
 * library use libc's. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Return true if this build can poll: not in static programs, on Android, or under the thread sanitizer. */
bool driver_waits_possible(void);

/* Let every pthread_cond_wait of the process, not pthread_cond_timedwait, poll for `ns` nanoseconds first; 0: as libc does. Forgets
 * earlier observations of other load. */
void driver_waits_awake(uint64_t ns);
