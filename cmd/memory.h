/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - what this process occupies in main memory. */
#ifndef DELEGAUGE_CMD_MEMORY_H
#define DELEGAUGE_CMD_MEMORY_H

#include <stdint.h>

struct memory_use {
    uint64_t rss_bytes;  /* resident now */
    uint64_t peak_bytes; /* the most that was resident at any time */
};

/* Zeros where the system does not tell. */
struct memory_use memory_now(void);

/* How much the peak rose between the two, in MB (1,000,000 bytes, as everywhere); 0 where it did not. */
double memory_growth_mb(const struct memory_use *then, const struct memory_use *now);

#endif
