/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - the main memory of this process. */
#pragma once

#include <stdint.h>

#include "lib/base/err.h"

/* Resident memory: pages that are in main memory; reserved memory that was never touched does not count. Zeros if unknown. */
struct memory_use {
    uint64_t rss_bytes;                           /* resident now: the sum of the next three */
    uint64_t anon_bytes, file_bytes, shmem_bytes; /* anonymous memory; mapped files (model, libraries); shared memory, which has a
                                                     driver's buffers on some systems */
    uint64_t peak_bytes;                          /* most resident bytes so far, as the system counts */
    uint64_t pss_bytes;                           /* resident, each page divided by the number of processes that share it */
};

struct memory_use memory_now(void);

/* Resources that a process may forget to give back; NAN if unknown, as memory is under a sanitizer of addresses. */
struct held {
    double heap_bytes;      /* allocated and not freed, as malloc counts */
    double anonymous_bytes; /* resident memory that is no file */
    double files, threads;  /* open file descriptors; threads */
};

struct held held_now(void);

/* Return the same of another process of this user, but for its heap. */
struct held held_by(int64_t process);

/* Return the resident bytes of this process, by the shortest way; 0 if unknown. */
uint64_t memory_resident_now(void);

/* Return by how much the peak rose from `then` to `now`, in MB (1,000,000 bytes, as everywhere); 0 if it did not. */
double memory_growth_mb(const struct memory_use *then, const struct memory_use *now);

/* Convert bytes to MB. */
double memory_mb(uint64_t bytes);

/* Samples resident memory at intervals while other code runs (--report_peak_memory_footprint).
 *
 * A thread samples, which takes some time from runs that are measured meanwhile. */

struct memory_monitor;

/* Sample now and then every `interval_ms` > 0. Fails with ST_FAILED if the thread cannot be created. */
enum status memory_monitor_start(int32_t interval_ms, struct memory_monitor **out, struct err *err);

/* Take a last sample, end the thread and free the monitor. Returns the peak in bytes; 0 for NULL. */
uint64_t memory_monitor_stop(struct memory_monitor *m);
