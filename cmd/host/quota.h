/* SPDX-License-Identifier: Apache-2.0 */
/* quota.h - the time for which a container's quota of CPU time has stopped its threads. */
#ifndef DELEGAUGE_CMD_QUOTA_H
#define DELEGAUGE_CMD_QUOTA_H

/* Return the milliseconds, summed over CPUs, for which the control group of this process and the visible groups above it were
 * stopped with their quota used up, since each was made: throttled_usec of cpu.stat for control groups of version 2, throttled_time
 * (ns) of version 1 (Linux, Documentation/admin-guide/cgroup-v2.rst; scheduler/sched-bwc.rst). NAN if none tells. `root`: as
 * machine_now takes it. */
double quota_stopped_ms(const char *root);

#endif
