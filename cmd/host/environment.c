/* SPDX-License-Identifier: Apache-2.0 */
/* environment.c - asking /proc, /sys and uname about the machine; what they do not tell stays "". */
/* sched_getaffinity */
#define _GNU_SOURCE
#include "cmd/host/environment.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "lib/base/threads.h"

static void read_line(const char *path, char *out, size_t size)
{
    FILE *f = fopen(path, "re");

    if (f && fgets(out, (int)size, f))
        out[strcspn(out, "\n")] = '\0';
    if (f)
        fclose(f);
}

/* "model name" on x86, "Hardware" or "Model" on ARM boards. */
static void read_cpu(char *out, size_t size)
{
    static const char *const keys[] = {"model name", "Hardware", "Model"};
    FILE *f = fopen("/proc/cpuinfo", "re");
    char line[256];

    while (f && !*out && fgets(line, sizeof line, f)) {
        const char *value = strchr(line, ':');

        for (size_t i = 0; value && i < sizeof keys / sizeof *keys; i++)
            if (!strncmp(line, keys[i], strlen(keys[i])))
                snprintf(out, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
    }
    if (f)
        fclose(f);
}

struct environment environment_read(void)
{
    struct environment e = {0};
    struct utsname name;
    struct timespec now;
    char seconds[24] = "";
    struct tm utc;

    read_cpu(e.cpu, sizeof e.cpu);
    read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", e.governor, sizeof e.governor);
    if (!uname(&name))
        snprintf(e.kernel, sizeof e.kernel, "%.40s %.60s %.40s", name.sysname, name.release, name.machine);
    e.cores = threads_processors();
    if (!clock_gettime(CLOCK_REALTIME, &now) && gmtime_r(&now.tv_sec, &utc) &&
        strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &utc))
        snprintf(e.time, sizeof e.time, "%s.%03dZ", seconds, (int)(now.tv_nsec / 1000000)); /* several a second take turns */
    return e;
}
