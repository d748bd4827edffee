/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - what this process occupies in main memory. */
#ifndef DELEGAUGE_CMD_MEMORY_H
#define DELEGAUGE_CMD_MEMORY_H

#include <stdint.h>

/* Pages, counted where they are in main memory; what is reserved and was never touched is in none. Zeros where the system does not
 * tell. */
struct memory_use {
    uint64_t rss_bytes;                           /* resident now: the sum of the three below */
    uint64_t anon_bytes, file_bytes, shmem_bytes; /* without a file behind them; of files (the model, libraries); shared memory,
                                                    which on some systems holds a driver's buffers */
    uint64_t peak_bytes;                          /* the most that was resident at any time, as the system keeps it */
    uint64_t pss_bytes;                           /* resident, each page divided by the number of processes that share it */
};

struct memory_use memory_now(void);

/* How much the peak rose between the two, in MB (1,000,000 bytes, as everywhere); 0 where it did not. */
double memory_growth_mb(const struct memory_use *then, const struct memory_use *now);

/* The same of a number of bytes. */
double memory_mb(uint64_t bytes);

#endif
