/* SPDX-License-Identifier: Apache-2.0 */
/* driver_waits_test.c - a condition that is waited for awake: nothing is missed, and the processor is left when it ought to be. */
#define _GNU_SOURCE /* RUSAGE_THREAD, pthread_timedjoin_np */
#include "cmd/host/driver_waits.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/testing/test.h"

enum { MS = 1000000 };

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * MS}, NULL);
}

/* A waiter that counts the rounds it was given, and how often it slept in each. */
struct waiter {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t given, taken;
    int n_given, n_taken;
    bool ends;
    long slept; /* in the last round */
    uint64_t cpu_ns;
};

static long sleeps(void)
{
    struct rusage u;

    getrusage(RUSAGE_THREAD, &u);
    return u.ru_nvcsw;
}

static uint64_t cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000 * MS + (uint64_t)t.tv_nsec;
}

static void *wait_for_rounds(void *arg)
{
    struct waiter *w = arg;

    pthread_mutex_lock(&w->lock);
    while (!w->ends) {
        const long before = sleeps();
        const uint64_t cpu = cpu_ns();

        while (w->n_given == w->n_taken && !w->ends)
            pthread_cond_wait(&w->given, &w->lock);
        w->slept = sleeps() - before;
        w->cpu_ns = cpu_ns() - cpu;
        w->n_taken = w->n_given;
        pthread_cond_broadcast(&w->taken);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void start(struct waiter *w)
{
    *w = (struct waiter){.lock = PTHREAD_MUTEX_INITIALIZER, .given = PTHREAD_COND_INITIALIZER, .taken = PTHREAD_COND_INITIALIZER};
    assert_int_equal(pthread_create(&w->thread, NULL, wait_for_rounds, w), 0);
}

static void give(struct waiter *w)
{
    pthread_mutex_lock(&w->lock);
    w->n_given++;
    pthread_cond_signal(&w->given);
    pthread_mutex_unlock(&w->lock);
}

static void take(struct waiter *w)
{
    pthread_mutex_lock(&w->lock);
    while (w->n_taken < w->n_given)
        pthread_cond_wait(&w->taken, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

static void end(struct waiter *w)
{
    pthread_mutex_lock(&w->lock);
    w->ends = true;
    pthread_cond_signal(&w->given);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    driver_waits_awake(0);
}

/* Whether the waiter sleeps while it is given nothing for 5 ms. */
static bool slept(struct waiter *w)
{
    sleep_ms(5);
    give(w);
    take(w);
    return w->slept > 0;
}

static bool slept_in_all(struct waiter *w, int rounds)
{
    while (rounds && slept(w))
        rounds--;
    return !rounds;
}

static void expect_sleep(uint64_t ns)
{
    struct waiter w;

    driver_waits_awake(ns);
    start(&w);
    give(&w);
    take(&w);
    assert_true(slept_in_all(&w, 20));
    end(&w);
}

static void sleeps_as_libc_until_asked(void **state)
{
    (void)state;
    expect_sleep(0);
}

static void sleeps_as_libc_whatever_is_asked(void **state)
{
    (void)state;
    expect_sleep((uint64_t)1000 * MS);
}

/* On a busy machine a round may be seen so late that nobody polls for a while after it. */
static void waits_awake_when_asked(void **state)
{
    struct waiter w;

    (void)state;
    driver_waits_awake((uint64_t)1000 * MS);
    start(&w);
    assert_false(slept_in_all(&w, 500));
    end(&w);
}

static void sleeps_after_its_time(void **state)
{
    struct waiter w;

    (void)state;
    driver_waits_awake(MS);
    start(&w);
    give(&w);
    take(&w);
    sleep_ms(300);
    give(&w);
    take(&w);
    assert_true(w.slept > 0);
    assert_true(w.cpu_ns < 100 * (uint64_t)MS);
    end(&w);
}

static _Atomic uint64_t handler_ends;

/* Keeps the thread from looking: as if another process had its processor. */
static void keep_busy(int sig)
{
    (void)sig;
    while (clock_ns() < atomic_load(&handler_ends))
        ;
}

/* Given a round while it cannot look for so long. */
static void give_late(struct waiter *w, uint64_t ns)
{
    atomic_store(&handler_ends, clock_ns() + 1000 * (uint64_t)MS);
    pthread_kill(w->thread, SIGUSR1);
    sleep_ms(20); /* it is in the handler */
    give(w);
    atomic_store(&handler_ends, clock_ns() + ns);
    take(w);
}

/* Late until polling is off, for 20 ms or more: it sleeps two times running. */
static bool off(struct waiter *w)
{
    for (int tries = 0; tries < 20; tries++) {
        give_late(w, 10 * (uint64_t)MS);
        if (slept(w) && slept(w))
            return true;
    }
    return false;
}

static void who_is_late_sleeps_for_a_while(void **state)
{
    const struct sigaction act = {.sa_handler = keep_busy};
    struct waiter w;

    (void)state;
    sigaction(SIGUSR1, &act, NULL);
    driver_waits_awake((uint64_t)1000 * MS);
    start(&w);
    give(&w);
    take(&w);
    assert_true(off(&w));
    assert_false(slept_in_all(&w, 500)); /* then they do again */
    assert_true(off(&w));
    end(&w);
}

/* Whoever signals without the mutex may have done so to nobody: what is waited for is asked for once more before it sleeps. (That
 * polling is off here, from the test before, is over with asking anew: otherwise this wait has no end.) */
static void returns_before_it_sleeps(void **state)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

    (void)state;
    driver_waits_awake(MS);
    pthread_mutex_lock(&lock);
    assert_int_equal(pthread_cond_wait(&cond, &lock), 0);
    pthread_mutex_unlock(&lock);
    driver_waits_awake(0);
}

/* Each of many waiters passes the round on to the next: a signal that is missed ends it all. */
enum { RING = 5, ROUNDS = 3000 };

struct ring {
    bool unlocked; /* signals come without the mutex */
    pthread_mutex_t lock;
    pthread_cond_t turn[RING];
    int whose, left;
};

struct place {
    struct ring *ring;
    int i;
};

static void *pass_on(void *arg)
{
    const struct place *p = arg;
    struct ring *r = p->ring;

    pthread_mutex_lock(&r->lock);
    for (int k = 0; k < ROUNDS; k++) {
        while (r->whose != p->i)
            pthread_cond_wait(&r->turn[p->i], &r->lock);
        r->whose = (p->i + 1) % RING;
        r->left--;
        if (r->unlocked)
            pthread_mutex_unlock(&r->lock);
        pthread_cond_signal(&r->turn[(p->i + 1) % RING]);
        if (r->unlocked)
            pthread_mutex_lock(&r->lock);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void no_signal_is_missed(void **state)
{
    static const uint64_t polls[] = {0, 1, 1000, 20000, 500000}; /* ns; those between end while signals come */

    (void)state;
    for (size_t i = 0; i < 2 * sizeof polls / sizeof *polls; i++) {
        struct ring r = {.unlocked = i % 2, .lock = PTHREAD_MUTEX_INITIALIZER, .left = RING * ROUNDS};
        struct place places[RING];
        pthread_t threads[RING];

        driver_waits_awake(polls[i / 2]);
        for (int k = 0; k < RING; k++) {
            pthread_cond_init(&r.turn[k], NULL);
            places[k] = (struct place){&r, k};
            assert_int_equal(pthread_create(&threads[k], NULL, pass_on, &places[k]), 0);
        }
        for (int k = 0; k < RING; k++) {
            struct timespec until = {.tv_sec = time(NULL) + 60};

            assert_int_equal(pthread_timedjoin_np(threads[k], NULL, &until), 0);
        }
        assert_int_equal(r.left, 0);
    }
    driver_waits_awake(0);
}

static void a_mutex_of_others_is_an_error(void **state)
{
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    pthread_mutexattr_t attr;
    pthread_mutex_t lock;

    (void)state;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attr);
    for (uint64_t ns = 0; ns <= MS; ns += MS) {
        driver_waits_awake(ns);
        assert_int_equal(pthread_cond_wait(&cond, &lock), EPERM);
    }
    driver_waits_awake(0);
    pthread_mutex_destroy(&lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleeps_as_libc_until_asked),    cmocka_unit_test(waits_awake_when_asked),
        cmocka_unit_test(sleeps_after_its_time),         cmocka_unit_test(who_is_late_sleeps_for_a_while),
        cmocka_unit_test(returns_before_it_sleeps),      cmocka_unit_test(no_signal_is_missed),
        cmocka_unit_test(a_mutex_of_others_is_an_error),
    };
    const struct CMUnitTest without[] = {cmocka_unit_test(sleeps_as_libc_whatever_is_asked)};

    alarm(120); /* what is missed is waited for without end */
    return driver_waits_possible() ? cmocka_run_group_tests(tests, NULL, NULL) : cmocka_run_group_tests(without, NULL, NULL);
}
