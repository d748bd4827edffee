/* SPDX-License-Identifier: Apache-2.0 */
/* memory_monitor.h - what is resident, looked at again and again while something else runs.
 *
 * For --report_peak_memory_footprint. A thread of its own does it, which takes some time from the runs that are measured meanwhile.
 */
#ifndef DELEGAUGE_CMD_MEMORY_MONITOR_H
#define DELEGAUGE_CMD_MEMORY_MONITOR_H

#include <stdint.h>

#include "lib/base/err.h"

struct memory_monitor;

/* Looks now and every `interval_ms` > 0 from now on. ST_FAILED where there can be no thread. */
enum status memory_monitor_start(int32_t interval_ms, struct memory_monitor **out, struct err *err);

/* Looks once more, ends the thread and frees it. Returns the most that was seen, in bytes; 0 for NULL. */
uint64_t memory_monitor_stop(struct memory_monitor *m);

#endif
