/* SPDX-License-Identifier: Apache-2.0 */
/* memory_test.c - what a process occupies grows by what it touches, and the peak stays. */
#include "cmd/host/memory.h"
#include "lib/base/clock.h"
#include "lib/testing/test.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#define TOUCHED ((size_t)64 << 20)
#define SLACK   ((size_t)1 << 20) /* the kernel counts pages in batches */

static void grows_and_shrinks(void **state)
{
    struct memory_use before = memory_now(), during, after;
    /* Not malloc: sanitizers keep what is freed. */
    char *block = mmap(NULL, TOUCHED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_ptr_not_equal(block, MAP_FAILED);
    if (!before.rss_bytes)
        skip(); /* no /proc */
    for (size_t i = 0; i < TOUCHED; i += 1024)
        ((volatile char *)block)[i] = 1;
    during = memory_now();
    munmap(block, TOUCHED);
    after = memory_now();
    assert_true(before.rss_bytes <= before.peak_bytes);
    assert_true(during.rss_bytes >= before.rss_bytes + TOUCHED * 9 / 10);
    assert_true(during.rss_bytes < before.rss_bytes + TOUCHED * 8);
    assert_true(after.rss_bytes < before.rss_bytes + TOUCHED / 2);
    assert_true(after.peak_bytes + SLACK >= during.rss_bytes);
    assert_true(memory_growth_mb(&before, &after) >= 50);
    assert_true(during.anon_bytes >= before.anon_bytes + TOUCHED * 9 / 10);
    assert_true(during.pss_bytes == 0 || during.pss_bytes >= TOUCHED * 9 / 10);
    assert_true(after.pss_bytes <= after.rss_bytes + SLACK);
    assert_true(after.rss_bytes == after.anon_bytes + after.file_bytes + after.shmem_bytes);
}

/* What is there for a while alone is seen, and the thread ends long before its next look. */
static void watched(void **state)
{
    struct memory_use before = memory_now();
    struct memory_monitor *m;
    uint64_t clock, most;
    struct err err;
    char *block;

    (void)state;
    if (!before.rss_bytes)
        skip(); /* no /proc */
    TEST_OK(memory_monitor_start(1, &m, &err), err);
    block = mmap(NULL, TOUCHED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(block, MAP_FAILED);
    for (size_t i = 0; i < TOUCHED; i += 1024)
        ((volatile char *)block)[i] = 1;
    usleep(300000);
    munmap(block, TOUCHED);
    most = memory_monitor_stop(m);
    assert_true(most >= before.rss_bytes + TOUCHED * 9 / 10);
    TEST_OK(memory_monitor_start(100000, &m, &err), err);
    clock = clock_ns();
    most = memory_monitor_stop(m);
    assert_true(most > 0 && most < before.rss_bytes + TOUCHED / 2);
    assert_true(clock_ns() - clock < 50 * UINT64_C(1000000000));
    assert_int_equal(memory_monitor_stop(NULL), 0);
}

static void growth(void **state)
{
    const struct memory_use small = {.peak_bytes = 1000000}, large = {.peak_bytes = 3000000};

    (void)state;
    assert_true(memory_growth_mb(&small, &large) == 2);
    assert_true(memory_growth_mb(&large, &small) == 0);
}

/* Of itself, as of another process; the folder of open files is one while it is read. */
static void of_a_process(void **state)
{
    const struct memory_use use = memory_now();
    const struct held own = held_now(), by = held_by(getpid()), none = held_by(0);
    const uint64_t resident = memory_resident_now();

    (void)state;
    if (!use.rss_bytes)
        skip(); /* no /proc */
    assert_true(by.files == own.files + 1 && by.threads == own.threads && by.anonymous_bytes > 0 && isnan(by.heap_bytes));
    assert_true(isnan(none.files) && isnan(none.threads) && isnan(none.anonymous_bytes));
    assert_true(resident + SLACK >= use.rss_bytes && resident <= use.rss_bytes + SLACK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_shrinks),
        cmocka_unit_test(of_a_process),
        cmocka_unit_test(growth),
        cmocka_unit_test(watched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
