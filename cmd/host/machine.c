/* SPDX-License-Identifier: Apache-2.0 */
/* machine.c - reads small files of /sys and /proc; missing ones count for nothing. */
#include "cmd/host/machine.h"

#include <dirent.h>
#include <fnmatch.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cpu.stat of the process's control group and of each ancestor up to the mounted root ---- */

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

/* Return the milliseconds, summed over CPUs, for which the control group of this process and its visible ancestors were throttled
 * since each was created: throttled_usec of cpu.stat in version 2, throttled_time (ns) in version 1 (Linux,
 * Documentation/admin-guide/cgroup-v2.rst; scheduler/sched-bwc.rst). NAN if unknown. `root` as in machine_now. */
static double quota_stopped_ms(const char *root)
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

/* ---- small files of /sys and /proc ---- */

/* A number at the beginning of a file, or NAN. */
static double read_number(const char *path)
{
    FILE *f = fopen(path, "re");
    char line[64], *end = line;
    double v = NAN;

    if (f && fgets(line, sizeof line, f))
        v = strtod(line, &end);
    if (f)
        fclose(f);
    return end == line ? NAN : v;
}

struct sum {
    double total, max;
    size_t n;
    char at_max[512]; /* the file with the largest */
};

static void add_number(struct sum *s, const char *path)
{
    const double v = read_number(path);

    if (isnan(v))
        return;
    s->total += v;
    s->n++;
    if (!(s->max >= v) || (v == s->max && strcmp(path, s->at_max) < 0)) {
        s->max = v;
        snprintf(s->at_max, sizeof s->at_max, "%s", path);
    }
}

/* Adds up the numbers in root/folder/X/file of all X that match. */
static struct sum read_all(const char *root, const char *folder, const char *pattern, const char *file)
{
    struct sum s = {.max = NAN};
    char path[512];
    const struct dirent *entry;
    DIR *d;

    snprintf(path, sizeof path, "%s%s", root, folder);
    if (!(d = opendir(path)))
        return s;
    while ((entry = readdir(d))) {
        if (!fnmatch(pattern, entry->d_name, 0)) {
            snprintf(path, sizeof path, "%s%s/%s/%s", root, folder, entry->d_name, file);
            add_number(&s, path);
        }
    }
    closedir(d);
    return s;
}

static double mean(const struct sum *s)
{
    return s->n ? s->total / (double)s->n : NAN;
}

/* For machines without cpufreq that tell a clock all the same. */
static struct sum cpuinfo_mhz(const char *root)
{
    struct sum s = {.max = NAN};
    char path[512], line[256];
    FILE *f;

    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) {
        const char *value = strncmp(line, "cpu MHz", 7) == 0 ? strchr(line, ':') : NULL;

        if (!value)
            continue;
        s.max = fmax(s.max, strtod(value + 1, NULL));
        s.total += strtod(value + 1, NULL);
        s.n++;
    }
    if (f)
        fclose(f);
    return s;
}

/* "type" beside "temp" of a zone, or beside another file. */
static void read_type(const char *temp, char *out, size_t size)
{
    char path[sizeof((struct sum){0}.at_max) + 8];
    const char *slash = strrchr(temp, '/');
    FILE *f;

    if (!slash)
        return;
    snprintf(path, sizeof path, "%.*s/type", (int)(slash - temp), temp);
    f = fopen(path, "re");
    if (f && fgets(out, (int)size, f))
        out[strcspn(out, "\n")] = '\0';
    if (f)
        fclose(f);
}

static const char cpus[] = "/sys/devices/system/cpu", cpu[] = "cpu[0-9]*", thermal[] = "/sys/class/thermal";

static double throttled_times(const char *root)
{
    const struct sum slowed = read_all(root, cpus, cpu, "thermal_throttle/core_throttle_count");

    return slowed.n ? slowed.total : NAN;
}

/* In kHz, or in MHz for want of cpufreq; *unit is what makes MHz of it. */
static struct sum clocks(const char *root, double *unit)
{
    const struct sum now = read_all(root, cpus, cpu, "cpufreq/scaling_cur_freq");

    *unit = now.n ? 1e-3 : 1;
    return now.n ? now : cpuinfo_mhz(root);
}

/* Fans cool, too, and slow nothing down. */
static double cooling_states(const char *root)
{
    static const char *const slowing[] = {"Processor", "*cpu*", "*gpu*", "*devfreq*"};
    double sum = NAN;

    for (int i = 0; i < 64; i++) { /* they are numbered without gaps */
        char path[512], type[48] = "";
        double state;

        snprintf(path, sizeof path, "%s%s/cooling_device%d/cur_state", root, thermal, i);
        if (isnan(state = read_number(path)))
            continue;
        read_type(path, type, sizeof type);
        for (size_t k = 0; k < sizeof slowing / sizeof *slowing; k++)
            if (!fnmatch(slowing[k], type, 0)) {
                sum = fmax(state, 0) + (isnan(sum) ? 0 : sum);
                break;
            }
    }
    return sum;
}

struct machine_slowing machine_slowing_now(const char *root)
{
    double unit;
    const double fastest = clocks(root, &unit).max;

    return (struct machine_slowing){fastest * unit, throttled_times(root), cooling_states(root), quota_stopped_ms(root)};
}

struct machine_state machine_now(const char *root)
{
    double unit;
    struct sum now = clocks(root, &unit);
    struct sum top = read_all(root, cpus, cpu, "cpufreq/cpuinfo_max_freq");
    struct sum zones = read_all(root, thermal, "thermal_zone*", "temp");
    struct machine_state m = {.throttled = throttled_times(root), .stopped_ms = quota_stopped_ms(root)};
    char path[512];

    m.cpu_mhz = mean(&now) * unit;
    m.cpu_max_mhz = top.max / 1e3;
    m.hottest_c = zones.max / 1e3;
    if (zones.n)
        read_type(zones.at_max, m.hottest, sizeof m.hottest);
    snprintf(path, sizeof path, "%s/proc/loadavg", root);
    m.load_average = read_number(path);
    return m;
}

#define ADD(...)   snprintf(advice[n].text, sizeof advice[n].text, __VA_ARGS__)
#define BRIEF(...) snprintf(advice[n].brief, sizeof advice[n].brief, __VA_ARGS__)

/* Comparisons with NAN are false: what is not known gives no advice. */
size_t machine_advice(const struct machine_state *start, const struct machine_state *end, int32_t cores,
                      struct machine_advice advice[MACHINE_MAX_ADVICE])
{
    size_t n = 0;

    if (end->cpu_mhz < 0.9 * start->cpu_mhz) {
        ADD("the CPU's clock fell from %.0f to %.0f MHz: cool the machine, or fix its frequency (cpupower frequency-set)",
            start->cpu_mhz, end->cpu_mhz);
        BRIEF("clock fell to %.0f MHz", end->cpu_mhz);
        n++;
    }
    if (end->throttled > start->throttled) {
        ADD("CPU cores were slowed down for heat %.0f times meanwhile: let the machine cool", end->throttled - start->throttled);
        BRIEF("slowed down for heat");
        n++;
    }
    if (end->hottest_c > 90 || end->hottest_c - start->hottest_c > 15) {
        ADD("thermal zone %s went from %.0f to %.0f degrees C: pauses (--run_delay) keep it cooler, --sustained shows the cost",
            end->hottest, start->hottest_c, end->hottest_c);
        BRIEF("%.0f degrees C", end->hottest_c);
        n++;
    }
    if (cores > 0 && start->load_average > cores) {
        ADD("the load was %.1f on %d cores before the runs began: stop what else is running", start->load_average, (int)cores);
        BRIEF("load %.1f on %d cores", start->load_average, (int)cores);
        n++;
    }
    if (end->stopped_ms - start->stopped_ms >= 1) {
        ADD("the CPU quota of the control group stopped threads for %.0f ms meanwhile: raise it (cpu.max), or run fewer",
            end->stopped_ms - start->stopped_ms);
        BRIEF("CPU quota stopped threads");
        n++;
    }
    return n;
}
