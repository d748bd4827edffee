/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - the main memory that this process occupies. */
#ifndef DELEGAUGE_CMD_MEMORY_H
#define DELEGAUGE_CMD_MEMORY_H

#include <stdint.h>

/* Memory in pages that are in main memory; memory that is reserved and was never touched does not count. Zeros if the system does
 * not tell. */
struct memory_use {
    uint64_t rss_bytes;                           /* resident bytes now: the sum of the three below */
    uint64_t anon_bytes, file_bytes, shmem_bytes; /* bytes without a file behind them; of files (the model, libraries); of shared
                                                     memory, which on some systems holds a driver's buffers */
    uint64_t peak_bytes;                          /* most bytes resident at any time, as the system keeps it */
    uint64_t pss_bytes;                           /* resident bytes, each page divided by the number of processes that share it */
};

struct memory_use memory_now(void);

/* Return how much the peak rose between the two, in MB (1,000,000 bytes, as everywhere); 0 if it did not. */
double memory_growth_mb(const struct memory_use *then, const struct memory_use *now);

/* Return a number of bytes in MB. */
double memory_mb(uint64_t bytes);

#endif
