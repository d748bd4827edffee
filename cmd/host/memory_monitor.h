/* SPDX-License-Identifier: Apache-2.0 */
/* memory_monitor.h - samples resident memory at intervals while other code runs (--report_peak_memory_footprint).
 *
 * A thread samples, which takes some time from runs that are measured meanwhile. */
#pragma once

#include <stdint.h>

#include "lib/base/err.h"

struct memory_monitor;

/* Sample now and then every `interval_ms` > 0. Fails with ST_FAILED if the thread cannot be created. */
enum status memory_monitor_start(int32_t interval_ms, struct memory_monitor **out, struct err *err);

/* Take a last sample, end the thread and free the monitor. Returns the peak in bytes; 0 for NULL. */
uint64_t memory_monitor_stop(struct memory_monitor *m);
