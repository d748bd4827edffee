/* SPDX-License-Identifier: Apache-2.0 */
/* energy.h - joules, on machines that count them.
 *
 *   RAPL          /sys/class/powercap/intel-rapl:N/energy_uj, of AMD too (Linux, Documentation/power/powercap/powercap.rst)
 *   power rails   /sys/bus/iio/devices/iio:deviceN/energy_value of Android's ODPM: "CH3(T=123)[VDD_CPU], 456", in microjoules
 *   a battery     energy_now (microwatt-hours), and power_now or current_now times voltage_now, summed over time; only while it
 *                 discharges (Documentation/ABI/testing/sysfs-class-power)
 *
 * All count the whole machine, what other processes take and idle power included. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum energy_source { ENERGY_RAPL, ENERGY_RAIL, ENERGY_BATTERY, ENERGY_BATTERY_POWER };

struct energy_meter {
    char name[64]; /* "package-0", "package-0/dram", "VDD_CPU", "BAT0" */
    char path[192];
    enum energy_source source;
    bool in_sum;  /* the meters in the sum do not count each other's energy */
    double range; /* joules at which its counter begins anew; NAN: it does not */
    double last;  /* last reading: joules, or watts of ENERGY_BATTERY_POWER */
    double joules;
    double step; /* least change that was seen between two readings, in joules: no update is larger; NAN: none was seen */
};

enum { ENERGY_MAX_METERS = 64 };

struct energy {
    struct energy_meter meters[ENERGY_MAX_METERS];
    size_t n;
    uint64_t begin_ns, last_ns; /* time of the first and of the last reading */
    char why_not[256];          /* n is 0: why nothing is measured */
};

/* Find the meters below `root` (as in machine_now) and read them, for up to 20 ms, so that the steps of fast ones are seen. Never
 * fails: e->n is 0, with a reason, where nothing counts or nothing may be read. */
void energy_begin(struct energy *e, const char *root);

/* Read the meters, if the last reading is 10 ms old or `now`. A counter may begin anew once between two readings. */
void energy_read(struct energy *e, bool now);

/* Return the joules of the meters in the sum; NAN if there are none, or if none of them moved. */
double energy_sum(const struct energy *e);

/* Return a word for reports: "rapl", "rail", "battery", "battery_power". */
const char *energy_word(enum energy_source source);
