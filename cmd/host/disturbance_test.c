/* SPDX-License-Identifier: Apache-2.0 */
/* disturbance_test.c - a machine of files that slows down: what is found of it, run by run, and how long is waited. */
#include "cmd/host/disturbance.h"
#include "lib/testing/test_files.h"

#include <math.h>
#include <stdio.h>

#define CLOCK(cpu) "/sys/devices/system/cpu/cpu" #cpu "/cpufreq/scaling_cur_freq"
#define HEAT       "/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count"
#define COOLING(i) "/sys/class/thermal/cooling_device" #i
#define QUOTA      "/sys/fs/cgroup/cpu.stat"

static char root[64];
static int stops;

static void set_up(void)
{
    make_temp_dir(root);
    write_below(root, CLOCK(0), "800000\n");
    write_below(root, CLOCK(1), "3000000\n");
    write_below(root, HEAT, "7\n");
    write_below(root, COOLING(0) "/type", "Fan\n");
    write_below(root, COOLING(0) "/cur_state", "0\n");
    write_below(root, COOLING(1) "/type", "thermal-cpufreq-0\n");
    write_below(root, COOLING(1) "/cur_state", "1\n");
    write_below(root, "/proc/self/cgroup", "0::/\n");
    write_below(root, QUOTA, "nr_throttled 2\nthrottled_usec 1000\n");
}

static void each_kind(void **state)
{
    struct disturbance_watch w;

    (void)state;
    set_up();
    w = disturbance_begin(root, 0);
    assert_int_equal(disturbance_known(&w), DISTURBED_CLOCK | DISTURBED_HEAT | DISTURBED_QUOTA);
    assert_int_equal(disturbance_look(&w), 0);
    write_below(root, CLOCK(1), "2750000\n"); /* within a tenth */
    write_below(root, CLOCK(0), "400000\n");  /* it idles */
    write_below(root, COOLING(0) "/cur_state", "3\n");
    assert_int_equal(disturbance_look(&w), 0);
    write_below(root, CLOCK(1), "2600000\n");
    assert_int_equal(disturbance_look(&w), DISTURBED_CLOCK);
    assert_int_equal(disturbance_look(&w), DISTURBED_CLOCK); /* as long as it lasts */
    write_below(root, CLOCK(0), "3000000\n");                /* another CPU has the work */
    write_below(root, HEAT, "8\n");
    assert_int_equal(disturbance_look(&w), DISTURBED_HEAT);
    assert_int_equal(disturbance_look(&w), 0); /* once for each event */
    write_below(root, COOLING(1) "/cur_state", "2\n");
    assert_int_equal(disturbance_look(&w), DISTURBED_HEAT);
    write_below(root, COOLING(1) "/cur_state", "0\n");
    write_below(root, QUOTA, "nr_throttled 3\nthrottled_usec 1200\n");
    assert_int_equal(disturbance_look(&w), DISTURBED_QUOTA);
    assert_int_equal(disturbance_look(&w), 0);
    remove_tree(root);
}

static void what_is_not_told(void **state)
{
    struct disturbance_watch w;

    (void)state;
    make_temp_dir(root);
    w = disturbance_begin(root, 1);
    assert_int_equal(disturbance_known(&w), 0);
    assert_int_equal(disturbance_of_run(&w, NULL), 0);
    write_below(root, "/proc/cpuinfo", "cpu MHz : 1000\ncpu MHz : 2000\n");
    w = disturbance_begin(root, 1);
    assert_int_equal(disturbance_known(&w), DISTURBED_CLOCK);
    assert_true(w.begin.fastest_mhz == 2000);
    remove_tree(root);
}

/* Asked between two looks, it mends the machine at the second time. */
static bool recover_then(void)
{
    if (++stops == 2)
        write_below(root, CLOCK(1), "3000000\n");
    return false;
}

static bool stop_at_once(void)
{
    return true;
}

static void waits(void **state)
{
    struct disturbance_watch w;

    (void)state;
    set_up();
    w = disturbance_begin(root, 0.02);
    write_below(root, CLOCK(1), "1000000\n");
    assert_int_equal(disturbance_of_run(&w, stop_at_once), DISTURBED_CLOCK);
    assert_true(w.waited_secs == 0);
    assert_int_equal(disturbance_of_run(&w, NULL), DISTURBED_CLOCK); /* as long as it may */
    assert_true(w.waited_secs >= 0.02);
    stops = 0;
    w = (struct disturbance_watch){.root = root, .begin = w.begin, .last = w.last, .wait_secs = 0.001};
    assert_int_equal(disturbance_of_run(&w, recover_then), DISTURBED_CLOCK);
    assert_int_equal(stops, 1); /* the limit holds over all runs */
    w.wait_secs = 600;
    assert_int_equal(disturbance_of_run(&w, recover_then), DISTURBED_CLOCK);
    assert_true(stops == 2 && w.waited_secs < 600);
    assert_int_equal(disturbance_of_run(&w, recover_then), 0);
    remove_tree(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind),
        cmocka_unit_test(what_is_not_told),
        cmocka_unit_test(waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
