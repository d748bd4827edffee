/* SPDX-License-Identifier: Apache-2.0 */
/* threads_test.c - every index is visited once, whatever the number of threads and whether they were awake. */
#include "lib/base/threads.h"
#include "lib/testing/test.h"

#include <stdatomic.h>
#include <time.h>

#define N 1000

struct visits {
    atomic_int count[N];
    size_t grain;
};

static void visit(void *arg, size_t begin, size_t end)
{
    struct visits *v = arg;

    assert_true(begin < end && end - begin <= v->grain && begin % v->grain == 0);
    for (size_t i = begin; i < end; i++)
        atomic_fetch_add(&v->count[i], 1);
}

static void visits_all_once(void **state)
{
    (void)state;
    for (int count = 0; count <= 5; count++) {
        struct threads *t;
        struct err err;

        TEST_OK(threads_new(count, &t, &err), err);
        for (size_t grain = 1; grain <= N + 1; grain = grain * 3 + 1)
            for (size_t n = 0; n <= N; n = n * 3 + 1) {
                struct visits v = {.grain = grain};

                threads_for(t, n, grain, visit, &v);
                for (size_t i = 0; i < N; i++)
                    assert_int_equal(v.count[i], i < n);
            }
        threads_free(t);
    }
}

static void sum(void *arg, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        atomic_fetch_add((atomic_size_t *)arg, i);
}

/* Short jobs in a row meet workers that spin, leave the job before, or were never there; after a pause they are asleep. */
static void jobs_follow_each_other(void **state)
{
    (void)state;
    for (int count = 2; count <= 9; count += 7) {
        struct threads *t;
        struct err err;

        TEST_OK(threads_new(count, &t, &err), err);
        for (size_t job = 0; job < 5000; job++) {
            size_t n = job % 23;
            atomic_size_t total = 0;

            threads_for(t, n, 1 + job % 3, sum, &total);
            assert_int_equal(total, n ? n * (n - 1) / 2 : 0);
            if (job % 1000 == 0)
                nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
        }
        threads_free(t);
    }
}

/* A pool may go while a worker is about to look at the last job. */
static void pools_come_and_go(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++) {
        atomic_size_t total = 0;
        struct threads *t;
        struct err err;

        TEST_OK(threads_new(3, &t, &err), err);
        for (int job = 0; job < round % 4; job++)
            threads_for(t, 4, 1, sum, &total);
        threads_free(t);
        assert_int_equal(total, 6 * (round % 4));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(visits_all_once), cmocka_unit_test(jobs_follow_each_other),
                                       cmocka_unit_test(pools_come_and_go)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
