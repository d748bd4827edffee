/* SPDX-License-Identifier: Apache-2.0 */
/* driver_waits.c - pthread_cond_wait and what ends it, in the place of libc's.
 *
 * A condition's signals are counted, each condition's in one of a few counters, so that who polls need not take the mutex to see
 * that something may have changed. A signal that is counted while a waiter polls ends its polling; one that comes after it has the
 * mutex again finds it asleep in libc's wait, or is of a change that it will see when it asks. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "driver_waits.h"

#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

/* The thread sanitizer has functions of these names itself. */
#if defined STATIC_BUILD || defined __ANDROID__ || defined __SANITIZE_THREAD__

bool driver_waits_possible(void)
{
    return false;
}

void driver_waits_awake(uint64_t ns)
{
    (void)ns;
}

#else

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "../lib/clock.h"

enum {
    COUNTERS = 64,
    MS = 1000000,
    LATE_NS = 2 * MS, /* a signal seen so late: others want the processors, too, and a yield gives them to those for milliseconds */
    LEAST_OFF_NS = 20 * MS,  /* for so long nobody polls then; */
    MOST_OFF_NS = 1280 * MS, /* where it is the case again soon after, twice as long, but not longer */
};

#define SHOWN __attribute__((visibility("default")))

static _Atomic uint64_t polls_ns, off_ns, off_until;

/* Each in a cache line of its own. */
struct counter {
    _Alignas(64) atomic_uint signals;
    _Atomic uint64_t last; /* of them, by clock_ns */
};

static struct counter counters[COUNTERS];

static struct counter *counter_of(const pthread_cond_t *cond)
{
    return &counters[(uintptr_t)cond / sizeof *cond % COUNTERS];
}

static void count(const pthread_cond_t *cond)
{
    struct counter *c = counter_of(cond);

    if (atomic_load(&polls_ns))
        atomic_store(&c->last, clock_ns());
    atomic_fetch_add(&c->signals, 1);
}

/* libc's function of that name, kept in `found`. */
static void *next(const char *name, void *_Atomic *found)
{
    void *f = atomic_load(found);

    if (!f)
        atomic_store(found, f = dlsym(RTLD_NEXT, name));
    return f;
}

#define NEXT(type, name)                                                                                                           \
    static void *_Atomic found;                                                                                                    \
    type libc_##name = (type)next(#name, &found)

typedef int (*cond_fn)(pthread_cond_t *cond);
typedef int (*wait_fn)(pthread_cond_t *cond, pthread_mutex_t *mutex);

SHOWN int pthread_cond_signal(pthread_cond_t *cond)
{
    NEXT(cond_fn, pthread_cond_signal);

    count(cond);
    return libc_pthread_cond_signal(cond);
}

SHOWN int pthread_cond_broadcast(pthread_cond_t *cond)
{
    NEXT(cond_fn, pthread_cond_broadcast);

    count(cond);
    return libc_pthread_cond_broadcast(cond);
}

static void stop_polling(uint64_t now)
{
    const uint64_t was = atomic_load(&off_ns), until = atomic_load(&off_until);
    const uint64_t ns = now - until >= was * 8 ? LEAST_OFF_NS : was < MOST_OFF_NS ? was * 2 : was;

    if (now < until) /* another thread was late, too */
        return;
    atomic_store(&off_ns, ns);
    atomic_store(&off_until, now + ns);
}

/* Until the condition has had another signal than the `seen` first ones, or `ns` have passed. */
static void poll_signals(struct counter *c, unsigned seen, uint64_t ns)
{
    const uint64_t start = clock_ns();
    uint64_t now = start, last;

    while (atomic_load(&c->signals) == seen && now - start < ns) {
        sched_yield();
        now = clock_ns();
    }
    last = atomic_load(&c->last);
    if (atomic_load(&c->signals) != seen && now > last && now - last > LATE_NS)
        stop_polling(now);
}

SHOWN int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    NEXT(wait_fn, pthread_cond_wait);
    const uint64_t ns = atomic_load(&polls_ns);
    struct counter *c = counter_of(cond);
    const unsigned seen = atomic_load(&c->signals);
    int st;

    if (!ns || clock_ns() < atomic_load(&off_until))
        return libc_pthread_cond_wait(cond, mutex);
    if ((st = pthread_mutex_unlock(mutex)))
        return st;
    poll_signals(c, seen, ns);
    if ((st = pthread_mutex_lock(mutex)))
        return st;
    return atomic_load(&c->signals) == seen ? libc_pthread_cond_wait(cond, mutex) : 0;
}

bool driver_waits_possible(void)
{
    return true;
}

void driver_waits_awake(uint64_t ns)
{
    atomic_store(&polls_ns, ns);
}

#endif
