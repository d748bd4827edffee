/* SPDX-License-Identifier: Apache-2.0 */
/* memory_monitor.h - resident memory, sampled at intervals while other code runs.
 *
 * For --report_peak_memory_footprint. A thread of its own samples it, which takes some time from the runs that are measured
 * meanwhile.
 */
#ifndef DELEGAUGE_CMD_MEMORY_MONITOR_H
#define DELEGAUGE_CMD_MEMORY_MONITOR_H

#include <stdint.h>

#include "lib/base/err.h"

struct memory_monitor;

/* Sample now and every `interval_ms` > 0 from now on. ST_FAILED if no thread can be made. */
enum status memory_monitor_start(int32_t interval_ms, struct memory_monitor **out, struct err *err);

/* Sample once more, end the thread and free it. Returns the peak in bytes; 0 for NULL. */
uint64_t memory_monitor_stop(struct memory_monitor *m);

#endif
