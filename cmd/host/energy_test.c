/* SPDX-License-Identifier: Apache-2.0 */
/* energy_test.c - counters made of files: which are found, what they add up to, and what is said where there are none. */
#include "cmd/host/energy.h"
#include "lib/base/clock.h"
#include "lib/testing/test_files.h"

#include <math.h>
#include <stdio.h>

#define ZONE  "/sys/class/powercap/intel-rapl:0"
#define DRAM  "/sys/class/powercap/intel-rapl:0:1"
#define CORE  "/sys/class/powercap/intel-rapl:0:0"
#define PSYS  "/sys/class/powercap/intel-rapl:1"
#define RAILS "/sys/bus/iio/devices/iio:device0/energy_value"
#define BAT   "/sys/class/power_supply/BAT0"

static char root[64];
static struct energy e;

static void put(const char *path, const char *text)
{
    write_below(root, path, text);
}

static const struct energy_meter *meter(const char *name, enum energy_source source)
{
    for (size_t i = 0; i < e.n; i++)
        if (!strcmp(e.meters[i].name, name) && e.meters[i].source == source)
            return &e.meters[i];
    fail_msg("no meter %s", name);
    return NULL;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9 * fabs(b);
}

static void rapl(void **state)
{
    (void)state;
    make_temp_dir(root);
    put(ZONE "/name", "package-0\n");
    put(ZONE "/energy_uj", "1000000\n");
    put(ZONE "/max_energy_range_uj", "5000000\n");
    put(CORE "/name", "core\n");
    put(CORE "/energy_uj", "10\n");
    put(DRAM "/name", "dram\n");
    put(DRAM "/energy_uj", "4000000\n");
    put(DRAM "/max_energy_range_uj", "5000000\n");
    put(PSYS "/name", "psys\n");
    put(PSYS "/energy_uj", "0\n");
    put("/sys/class/powercap/intel-rapl-mmio:0/energy_uj", "1\n");
    put("/sys/class/powercap/intel-rapl/enabled", "1\n");
    energy_begin(&e, root);
    assert_int_equal(e.n, 4);
    assert_true(isnan(energy_sum(&e)));
    put(ZONE "/energy_uj", "1250000\n");
    energy_read(&e, true);
    put(ZONE "/energy_uj", "2250000\n");
    put(DRAM "/energy_uj", "500000\n"); /* it began anew: 1 J up to the end of its range, and half a joule */
    put(CORE "/energy_uj", "700000\n");
    put(PSYS "/energy_uj", "9000000\n");
    energy_read(&e, true);
    assert_true(near(meter("package-0", ENERGY_RAPL)->joules, 1.25) && near(meter("package-0", ENERGY_RAPL)->step, 0.25));
    assert_true(near(meter("package-0/dram", ENERGY_RAPL)->joules, 1.5));
    assert_true(near(meter("psys", ENERGY_RAPL)->joules, 9));
    assert_true(near(energy_sum(&e), 2.75)); /* the core is in the package, the package in psys */
    put(CORE "/energy_uj", "5\n");           /* of a counter without a range nobody knows */
    put(ZONE "/energy_uj", "nonsense\n");
    energy_read(&e, true);
    assert_true(near(meter("package-0/core", ENERGY_RAPL)->joules, 0.69999) && near(energy_sum(&e), 2.75));
    remove_tree(root);
}

static void rails(void **state)
{
    (void)state;
    make_temp_dir(root);
    put(RAILS, "t=100\nCH0(T=100)[VDD_CPU], 5000000\nCH1(T=100)[VDD_GPU], 1000\nCH2[broken\nCH3(T=1)[X], none\n");
    put("/sys/bus/iio/devices/iio:device1/name", "light\n");
    energy_begin(&e, root);
    assert_int_equal(e.n, 2);
    put(RAILS, "t=900\nCH0(T=900)[VDD_CPU], 5600000\nCH1(T=900)[VDD_GPU], 1000\n");
    energy_read(&e, true);
    assert_true(near(meter("VDD_CPU", ENERGY_RAIL)->joules, 0.6) && meter("VDD_GPU", ENERGY_RAIL)->joules == 0);
    assert_true(isnan(energy_sum(&e)) && isnan(meter("VDD_GPU", ENERGY_RAIL)->step)); /* rails feed each other */
    remove_tree(root);
}

static void battery(void **state)
{
    double secs;
    uint64_t last;

    (void)state;
    make_temp_dir(root);
    put(BAT "/type", "Battery\n");
    put(BAT "/status", "Charging\n");
    put(BAT "/energy_now", "50000000\n");
    energy_begin(&e, root);
    assert_int_equal(e.n, 0);
    assert_string_equal(e.why_not, "battery BAT0 is not discharging (Charging)");
    put(BAT "/status", "Discharging\n");
    put(BAT "/current_now", "-2000000\n");
    put(BAT "/voltage_now", "4000000\n");
    put("/sys/class/power_supply/AC/type", "Mains\n");
    energy_begin(&e, root);
    assert_int_equal(e.n, 2);
    put(BAT "/energy_now", "49990000\n");
    put(BAT "/current_now", "-1000000\n");
    last = e.last_ns;
    clock_sleep(0.002);
    energy_read(&e, true);
    secs = (double)(e.last_ns - last) / 1e9;
    assert_true(near(meter("BAT0", ENERGY_BATTERY)->joules, 36));
    assert_true(near(meter("BAT0", ENERGY_BATTERY_POWER)->joules, 6 * secs) && near(energy_sum(&e), 6 * secs));
    remove_tree(root);
}

static void none(void **state)
{
    (void)state;
    make_temp_dir(root);
    energy_begin(&e, root);
    energy_read(&e, true);
    assert_int_equal(e.n, 0);
    assert_string_equal(e.why_not, "no counter in /sys/class/powercap, /sys/bus/iio/devices or /sys/class/power_supply");
    put(ZONE "/energy_uj/x", "a folder\n");
    energy_begin(&e, root);
    assert_int_equal(e.n, 0);
    assert_non_null(strstr(e.why_not, "intel-rapl:0/energy_uj: Is a directory"));
    remove_tree(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rapl),
        cmocka_unit_test(rails),
        cmocka_unit_test(battery),
        cmocka_unit_test(none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
