/* SPDX-License-Identifier: Apache-2.0 */
/* quota.h - the time for which the CPU quota of a container stopped its threads. */
#pragma once

/* Return the milliseconds, summed over CPUs, for which the control group of this process and its visible ancestors were throttled
 * since each was created: throttled_usec of cpu.stat in version 2, throttled_time (ns) in version 1 (Linux,
 * Documentation/admin-guide/cgroup-v2.rst; scheduler/sched-bwc.rst). NAN if unknown. `root` as in machine_now. */
double quota_stopped_ms(const char *root);
