/* SPDX-License-Identifier: Apache-2.0 */
/* memory_test.c - what a process occupies grows by what it touches, and the peak stays. */
#include "memory.h"
#include "../lib/test.h"

#include <sys/mman.h>

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
}

static void growth(void **state)
{
    const struct memory_use small = {.peak_bytes = 1000000}, large = {.peak_bytes = 3000000};

    (void)state;
    assert_true(memory_growth_mb(&small, &large) == 2);
    assert_true(memory_growth_mb(&large, &small) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_shrinks),
        cmocka_unit_test(growth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
