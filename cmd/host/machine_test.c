/* SPDX-License-Identifier: Apache-2.0 */
/* machine_test.c - a machine made of files: what is read of it, and what advice comes of that. */
#include "cmd/host/machine.h"
#include "lib/testing/test_files.h"

#include <math.h>

static char root[64];

static void is_read(void **state)
{
    struct machine_state m;

    (void)state;
    make_temp_dir(root);
    m = machine_now(root);
    assert_true(isnan(m.cpu_mhz) && isnan(m.cpu_max_mhz) && isnan(m.hottest_c) && isnan(m.throttled) && isnan(m.load_average));
    write_below(root, "/proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2000.5\nprocessor\t: 1\ncpu MHz\t\t: 1000.5\n");
    write_below(root, "/proc/loadavg", "1.25 0.5 0.1 1/200 4711\n");
    m = machine_now(root);
    assert_true(m.cpu_mhz == 1500.5 && m.load_average == 1.25);
    write_below(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1800000\n");
    write_below(root, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2200000\n");
    write_below(root, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "2000000\n");
    write_below(root, "/sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "3000000\n");
    write_below(root, "/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n");
    write_below(root, "/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n");
    write_below(root, "/sys/class/thermal/thermal_zone0/temp", "41000\n");
    write_below(root, "/sys/class/thermal/thermal_zone0/type", "battery\n");
    write_below(root, "/sys/class/thermal/thermal_zone1/temp", "63500\n");
    write_below(root, "/sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
    write_below(root, "/sys/class/thermal/thermal_zone2/temp", "no number\n");
    m = machine_now(root);
    assert_true(m.cpu_mhz == 2000 && m.cpu_max_mhz == 3000 && m.throttled == 7 && m.hottest_c == 63.5);
    assert_string_equal(m.hottest, "x86_pkg_temp");
    remove_tree(root);
}

/* The process's group and all above it; of version 1 by the hierarchy that has the controller cpu. */
static void quotas_are_read(void **state)
{
    (void)state;
    make_temp_dir(root);
    assert_true(isnan(machine_now(root).stopped_ms));
    write_below(root, "/proc/self/cgroup", "0::/a/b\n");
    assert_true(isnan(machine_now(root).stopped_ms));
    write_below(root, "/sys/fs/cgroup/cpu.stat", "usage_usec 9\n");
    assert_true(isnan(machine_now(root).stopped_ms));
    write_below(root, "/sys/fs/cgroup/a/cpu.stat", "usage_usec 9\nnr_throttled 3\nthrottled_usec 1500\n");
    write_below(root, "/sys/fs/cgroup/a/b/cpu.stat", "throttled_usec 20000\n");
    write_below(root, "/sys/fs/cgroup/a/b/c/cpu.stat", "throttled_usec 700000\n");
    assert_true(machine_now(root).stopped_ms == 21.5);
    write_below(root, "/sys/fs/cgroup/cpu.stat", "throttled_usec 1000\n");
    assert_true(machine_now(root).stopped_ms == 22.5);
    write_below(root, "/proc/self/cgroup", "0::/\n");
    assert_true(machine_now(root).stopped_ms == 1);
    write_below(root, "/proc/self/cgroup", "5:cpuset:/\n4:cpuacct,cpu:/docker/1\n3:cpuacct:/x\n1:name=systemd:/\nnonsense\n");
    write_below(root, "/sys/fs/cgroup/cpu/cpu.stat", "nr_periods 8\nnr_throttled 2\nthrottled_time 3000000\n");
    assert_true(machine_now(root).stopped_ms == 3);
    write_below(root, "/sys/fs/cgroup/cpu/docker/1/cpu.stat", "throttled_time 500000\n");
    assert_true(machine_now(root).stopped_ms == 3.5);
    remove_tree(root);
}

static void gives_advice(void **state)
{
    const struct machine_state unknown = {NAN, NAN, NAN, "", NAN, NAN, NAN}, calm = {2000, 3000, 50, "soc", 7, 1.5, 80};
    struct machine_state end = calm, busy = calm;
    struct machine_advice advice[MACHINE_MAX_ADVICE];

    (void)state;
    assert_int_equal(machine_advice(&unknown, &unknown, 2, advice), 0);
    assert_int_equal(machine_advice(&calm, &calm, 2, advice), 0);
    end.cpu_mhz = 1700;
    assert_int_equal(machine_advice(&calm, &end, 2, advice), 1);
    assert_non_null(strstr(advice[0].text, "from 2000 to 1700 MHz"));
    end.throttled = 9;
    end.hottest_c = 66;
    end.stopped_ms = 120;
    busy.load_average = 2.5;
    assert_int_equal(machine_advice(&busy, &end, 2, advice), 5);
    assert_non_null(strstr(advice[1].text, "2 times"));
    assert_non_null(strstr(advice[2].text, "zone soc went from 50 to 66"));
    assert_non_null(strstr(advice[3].text, "load was 2.5 on 2 cores"));
    assert_string_equal(advice[3].brief, "load 2.5 on 2 cores");
    assert_non_null(strstr(advice[4].text, "stopped threads for 40 ms"));
    busy.hottest_c = end.hottest_c = 91;
    assert_int_equal(machine_advice(&busy, &busy, 4, advice), 1);
    assert_non_null(strstr(advice[0].text, "zone soc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_read),
        cmocka_unit_test(quotas_are_read),
        cmocka_unit_test(gives_advice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
