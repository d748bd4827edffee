/* SPDX-License-Identifier: Apache-2.0 */
/* energy.c - finds counters, and adds up what each went on by. */
#include "cmd/host/energy.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"

#define READ_EVERY_NS     10000000u
#define LOOK_FOR_STEPS_NS 20000000u
#define JOULES_PER_UWH    3.6e-3

/* The first line of folder/file; false, with errno, if it cannot be read. */
static bool read_line(const char *folder, const char *file, char *out, size_t size)
{
    char path[256];
    FILE *f;
    bool got;

    snprintf(path, sizeof path, "%s/%s", folder, file);
    if (!(f = fopen(path, "re")))
        return false;
    errno = 0;
    got = fgets(out, (int)size, f) != NULL;
    fclose(f);
    out[got ? strcspn(out, "\n") : 0] = '\0';
    return got;
}

static double read_number(const char *folder, const char *file)
{
    char line[64], *end = line;
    const double v = read_line(folder, file, line, sizeof line) ? strtod(line, &end) : NAN;

    return end == line || !isfinite(v) ? NAN : v;
}

static void explain(struct energy *e, const char *folder, const char *file)
{
    snprintf(e->why_not, sizeof e->why_not, "%.180s/%s: %s", folder, file, errno ? strerror(errno) : "no number");
}

static struct energy_meter *add_meter(struct energy *e, enum energy_source source, const char *name, const char *path)
{
    struct energy_meter *m = &e->meters[e->n];

    if (e->n == ENERGY_MAX_METERS || strlen(path) >= sizeof m->path)
        return NULL;
    e->n++;
    *m = (struct energy_meter){.source = source, .range = NAN, .last = NAN, .step = NAN};
    snprintf(m->name, sizeof m->name, "%s", name);
    snprintf(m->path, sizeof m->path, "%s", path);
    return m;
}

/* ---- which there are ---- */

/* "package-0/dram" of zone intel-rapl:0:2; what lies below a package is a part of it, but for memory. */
static void add_rapl(struct energy *e, const char *folder)
{
    char name[28] = "", parent[28] = "", above[192], joined[64];
    const char *zone = strrchr(folder, '/') + 1, *colon = strrchr(zone, ':');
    const bool below = colon != strchr(zone, ':');
    struct energy_meter *m;

    if (isnan(read_number(folder, "energy_uj"))) {
        explain(e, folder, "energy_uj");
        return;
    }
    if (!read_line(folder, "name", name, sizeof name))
        snprintf(name, sizeof name, "%.27s", zone);
    snprintf(above, sizeof above, "%.*s", (int)(colon - folder), folder);
    if (below && read_line(above, "name", parent, sizeof parent))
        snprintf(joined, sizeof joined, "%s/%s", parent, name);
    else
        snprintf(joined, sizeof joined, "%s", name);
    if (!(m = add_meter(e, ENERGY_RAPL, joined, folder)))
        return;
    m->in_sum = below ? !strcmp(name, "dram") : strcmp(name, "psys") != 0;
    m->range = read_number(folder, "max_energy_range_uj") / 1e6;
}

/* A line of a rail; false for other lines. */
static bool read_rail(char *line, char **name, double *joules)
{
    char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL, *end;

    if (strncmp(line, "CH", 2) != 0 || !close || close[1] != ',')
        return false;
    *close = '\0';
    *name = open + 1;
    *joules = strtod(close + 2, &end) / 1e6;
    return end != close + 2 && isfinite(*joules);
}

static FILE *open_rails(const char *folder)
{
    char path[256];

    snprintf(path, sizeof path, "%s/energy_value", folder);
    errno = 0;
    return fopen(path, "re");
}

static void add_rails(struct energy *e, const char *folder)
{
    FILE *f = open_rails(folder);
    char line[256], *name;
    double joules;

    if (!f && errno != ENOENT)
        explain(e, folder, "energy_value");
    while (f && fgets(line, sizeof line, f))
        if (read_rail(line, &name, &joules))
            add_meter(e, ENERGY_RAIL, name, folder);
    if (f)
        fclose(f);
}

static double battery_watts(const char *folder)
{
    const double watts = fabs(read_number(folder, "power_now")) / 1e6;

    return isnan(watts) ? fabs(read_number(folder, "current_now") * read_number(folder, "voltage_now")) / 1e12 : watts;
}

/* What flows into a battery is not what the machine takes. */
static void add_battery(struct energy *e, const char *folder)
{
    const char *name = strrchr(folder, '/') + 1;
    char type[16], status[32] = "unknown";
    struct energy_meter *power;

    if (!read_line(folder, "type", type, sizeof type) || strcmp(type, "Battery") != 0)
        return;
    read_line(folder, "status", status, sizeof status);
    if (strcmp(status, "Discharging") != 0) {
        snprintf(e->why_not, sizeof e->why_not, "battery %.40s is not discharging (%.30s)", name, status);
        return;
    }
    if (!isnan(battery_watts(folder)) && (power = add_meter(e, ENERGY_BATTERY_POWER, name, folder)))
        power->in_sum = true;
    if (!isnan(read_number(folder, "energy_now")))
        add_meter(e, ENERGY_BATTERY, name, folder);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Calls add for each folder of root/within that matches, by name. */
static void find(struct energy *e, const char *root, const char *within, const char *pattern,
                 void (*add)(struct energy *e, const char *folder))
{
    struct dirent **entries;
    char folder[192];
    int n, length;

    snprintf(folder, sizeof folder, "%.100s%s", root, within);
    if ((n = scandir(folder, &entries, NULL, by_name)) < 0)
        return;
    for (int i = 0; i < n; i++) {
        length = snprintf(folder, sizeof folder, "%.100s%s/%s", root, within, entries[i]->d_name);
        if (!fnmatch(pattern, entries[i]->d_name, FNM_PERIOD) && length < (int)sizeof folder)
            add(e, folder);
        free(entries[i]);
    }
    free(entries);
}

/* ---- readings ---- */

static void take_counter(struct energy_meter *m, double joules)
{
    double more = m->source == ENERGY_BATTERY ? m->last - joules : joules - m->last;

    if (more < 0 && m->range > m->last)
        more += m->range;
    if (more > 0) {
        m->joules += more;
        m->step = fmin(more, m->step);
    }
    if (!isnan(joules))
        m->last = joules;
}

static void take_watts(struct energy_meter *m, double watts, double secs)
{
    if (!isnan(watts) && !isnan(m->last))
        m->joules += (m->last + watts) / 2 * secs;
    if (!isnan(watts))
        m->last = watts;
}

/* All rails of one file at once. */
static void take_rails(struct energy *e, const char *folder)
{
    FILE *f = open_rails(folder);
    char line[256], *name;
    double joules;

    while (f && fgets(line, sizeof line, f))
        for (size_t i = 0; read_rail(line, &name, &joules) && i < e->n; i++) {
            struct energy_meter *m = &e->meters[i];

            if (m->source == ENERGY_RAIL && !strcmp(m->name, name) && !strcmp(m->path, folder))
                take_counter(m, joules);
        }
    if (f)
        fclose(f);
}

static void take_all(struct energy *e)
{
    const uint64_t now = clock_ns();
    const double secs = (double)(now - e->last_ns) / 1e9;

    for (size_t i = 0; i < e->n; i++) {
        struct energy_meter *m = &e->meters[i];

        switch (m->source) {
        case ENERGY_RAPL: take_counter(m, read_number(m->path, "energy_uj") / 1e6); break;
        case ENERGY_BATTERY: take_counter(m, read_number(m->path, "energy_now") * JOULES_PER_UWH); break;
        case ENERGY_BATTERY_POWER: take_watts(m, battery_watts(m->path), secs); break;
        case ENERGY_RAIL:
            if (!i || strcmp(m->path, m[-1].path) != 0)
                take_rails(e, m->path);
            break;
        }
    }
    e->last_ns = now;
}

void energy_begin(struct energy *e, const char *root)
{
    *e = (struct energy){.why_not = "no counter in /sys/class/powercap, /sys/bus/iio/devices or /sys/class/power_supply"};
    find(e, root, "/sys/class/power_supply", "*", add_battery);
    find(e, root, "/sys/bus/iio/devices", "iio:device*", add_rails);
    find(e, root, "/sys/class/powercap", "intel-rapl:*", add_rapl);
    if (!e->n)
        return;
    e->begin_ns = e->last_ns = clock_ns();
    do
        take_all(e);
    while (e->last_ns - e->begin_ns < LOOK_FOR_STEPS_NS);
    for (size_t i = 0; i < e->n; i++)
        e->meters[i].joules = 0;
    e->begin_ns = e->last_ns;
}

void energy_read(struct energy *e, bool now)
{
    if (e->n && (now || clock_ns() - e->last_ns >= READ_EVERY_NS))
        take_all(e);
}

static bool has_rapl(const struct energy *e)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->meters[i].source == ENERGY_RAPL && e->meters[i].in_sum)
            return true;
    return false;
}

double energy_sum(const struct energy *e)
{
    const bool rapl = has_rapl(e);
    double sum = 0;

    for (size_t i = 0; i < e->n; i++)
        if (e->meters[i].in_sum && (e->meters[i].source == ENERGY_RAPL || !rapl))
            sum += e->meters[i].joules;
    return sum > 0 ? sum : NAN;
}

const char *energy_word(enum energy_source source)
{
    static const char *const words[] = {"rapl", "rail", "battery", "battery_power"};

    return words[source];
}
