/* threads_test.c - every index is visited once, whatever the number of threads. */
#include "threads.h"
#include "test.h"

#include <stdatomic.h>

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
        assert_int_equal(threads_count(t), count < 1 ? 1 : count);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(visits_all_once)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
