/* SPDX-License-Identifier: Apache-2.0 */
/* quota.c - cpu.stat of the process's control group and of each ancestor up to the mounted root. */
#include "cmd/host/quota.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sum goes on; NAN is that nothing was found yet. */
static void add_ms(double *sum, double ms)
{
    *sum = isnan(*sum) ? ms : *sum + ms;
}

static void add_stat(const char *folder, double *ms)
{
    char path[1100], line[128];
    FILE *f;

    snprintf(path, sizeof path, "%s/cpu.stat", folder);
    f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) {
        if (!strncmp(line, "throttled_usec ", 15))
            add_ms(ms, strtod(line + 15, NULL) / 1e3);
        else if (!strncmp(line, "throttled_time ", 15))
            add_ms(ms, strtod(line + 15, NULL) / 1e6);
    }
    if (f)
        fclose(f);
}

/* `group` and those above it in the hierarchy at root/mount. In a container the path may be that of the host, of which only the
 * root is to be seen. */
static void add_groups(const char *root, const char *mount, const char *group, double *ms)
{
    char folder[1024];
    size_t base = (size_t)snprintf(folder, sizeof folder, "%s%s", root, mount);

    if (base + strlen(group) >= sizeof folder)
        return;
    memcpy(folder + base, group, strlen(group) + 1);
    for (char *slash; (slash = strrchr(folder + base, '/')); *slash = '\0')
        if (slash[1])
            add_stat(folder, ms);
    add_stat(folder, ms);
}

/* Whether "cpu" is one of "cpuacct,cpu". */
static bool has_cpu(const char *controllers, size_t length)
{
    for (size_t at = 0; at < length; at += strcspn(controllers + at, ",:") + 1)
        if (!strncmp(controllers + at, "cpu", 3) && strchr(",:", controllers[at + 3]))
            return true;
    return false;
}

double quota_stopped_ms(const char *root)
{
    double ms = NAN;
    char path[512], line[1024];
    FILE *f;

    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) { /* "4:cpu,cpuacct:/group", of version 2 "0::/group" */
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;

        if (!group)
            continue;
        group[1 + strcspn(group + 1, "\n")] = '\0';
        if (group == controllers + 1)
            add_groups(root, "/sys/fs/cgroup", group + 1, &ms);
        else if (has_cpu(controllers + 1, (size_t)(group - controllers) - 1))
            add_groups(root, "/sys/fs/cgroup/cpu", group + 1, &ms);
    }
    if (f)
        fclose(f);
    return ms;
}
