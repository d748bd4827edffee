/* SPDX-License-Identifier: Apache-2.0 */
/* driver_waits.h - the threads of a driver that is software wait awake for a while before they sleep.
 *
 * Mesa's llvmpipe wakes a thread for each processor at every dispatch and sleeps until they are done. Dispatches follow each other
 * within microseconds, and waking and falling asleep take tens of them; thread pools of this field poll first (GCC's
 * GOMP_SPINCOUNT, pthreadpool, lib/base/threads.c), and llvmpipe's has no such setting. So for --driver_poll_us the tools bring a
 * pthread_cond_wait of their own, which the driver finds before libc's: it may return at any time (POSIX: spurious wakeups), and
 * the caller asks again for its condition. It polls, yielding the processor each time, and then sleeps as libc's does. Until
 * driver_waits_awake is called it is libc's. Programs that embed the library have libc's. */
#ifndef DELEGAUGE_CMD_DRIVER_WAITS_H
#define DELEGAUGE_CMD_DRIVER_WAITS_H

#include <stdbool.h>
#include <stdint.h>

/* True if this build can poll: not if nothing is linked dynamically, on Android, or under the thread sanitizer. */
bool driver_waits_possible(void);

/* From now on every wait of the process for a condition, but one with a time limit, polls for so long first; 0: as libc has it.
 * Earlier observations of other load are forgotten. */
void driver_waits_awake(uint64_t ns);

#endif
