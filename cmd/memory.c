/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - resident memory and its peak, from /proc/self/status. */
#include "memory.h"

#include <inttypes.h>
#include <stdio.h>

struct memory_use memory_now(void)
{
    /* Not getrusage: its peak is inherited from whatever started this program, so that a large parent hides every change. */
    FILE *f = fopen("/proc/self/status", "re");
    struct memory_use use = {0};
    uint64_t kb;
    char line[256];

    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "VmRSS: %" SCNu64, &kb) == 1)
            use.rss_bytes = kb * 1024;
        else if (sscanf(line, "VmHWM: %" SCNu64, &kb) == 1)
            use.peak_bytes = kb * 1024;
    }
    if (f)
        fclose(f);
    return use;
}

double memory_growth_mb(const struct memory_use *then, const struct memory_use *now)
{
    return now->peak_bytes > then->peak_bytes ? (double)(now->peak_bytes - then->peak_bytes) / 1e6 : 0;
}
