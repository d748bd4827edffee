/* SPDX-License-Identifier: Apache-2.0 */
/* driver_waits.c - pthread_cond_wait, pthread_cond_signal and pthread_cond_broadcast in place of libc's.
 *
 * Signals are counted, each condition's in one of a few counters, so that a polling thread sees without the mutex that something
 * may have changed. Polling ends with a signal or after its time, and the wait returns; without a signal libc's wait follows. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "cmd/host/driver_waits.h"

/* The thread sanitizer has functions of these names itself. */
#ifdef __SANITIZE_THREAD__
#define WATCHED_THREADS
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define WATCHED_THREADS
#endif
#endif

#if defined WATCHED_THREADS || defined STATIC_BUILD || defined __ANDROID__

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
#include <stdlib.h>

#include "lib/base/clock.h"

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

typedef int (*cond_fn)(pthread_cond_t *cond);
typedef int (*wait_fn)(pthread_cond_t *cond, pthread_mutex_t *mutex);

/* libc's function of that name, kept in `found`. glibc has an older one too, of another pthread_cond_t, which dlsym finds in those
 * before 2.36 (its bug 14932). */
static void *next(const char *name, void *_Atomic *found)
{
    void *f = atomic_load(found);

#ifdef __GLIBC__
    if (!f)
        f = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
    if (!f && !(f = dlsym(RTLD_NEXT, name)))
        abort(); /* no libc is without */
    atomic_store(found, f);
    return f;
}

static cond_fn libc_signal(void)
{
    static void *_Atomic found;

    return (cond_fn)next("pthread_cond_signal", &found);
}

static cond_fn libc_broadcast(void)
{
    static void *_Atomic found;

    return (cond_fn)next("pthread_cond_broadcast", &found);
}

static wait_fn libc_wait(void)
{
    static void *_Atomic found;

    return (wait_fn)next("pthread_cond_wait", &found);
}

/* While no other thread can be at it: looking for a function takes the loader's lock. */
__attribute__((constructor)) static void find_all(void)
{
    libc_signal();
    libc_broadcast();
    libc_wait();
}

SHOWN int pthread_cond_signal(pthread_cond_t *cond)
{
    count(cond);
    return libc_signal()(cond);
}

SHOWN int pthread_cond_broadcast(pthread_cond_t *cond)
{
    count(cond);
    return libc_broadcast()(cond);
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

/* Who was given no signal returns, too, before it sleeps: whoever signals without the mutex may have changed what is waited for
 * before and signal only after, to nobody, so that it must be asked for once more with the mutex held. Then it sleeps. */
SHOWN int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    static _Thread_local const pthread_cond_t *polled;
    static _Thread_local unsigned polled_at;
    const uint64_t ns = atomic_load(&polls_ns);
    struct counter *c = counter_of(cond);
    const unsigned seen = atomic_load(&c->signals);
    const bool again = polled == cond && polled_at == seen;
    int st;

    polled = NULL;
    if (!ns || again || clock_ns() < atomic_load(&off_until))
        return libc_wait()(cond, mutex);
    if ((st = pthread_mutex_unlock(mutex)))
        return st;
    poll_signals(c, seen, ns);
    if ((st = pthread_mutex_lock(mutex)))
        return st;
    polled = cond;
    polled_at = seen;
    pthread_testcancel();
    return 0;
}

bool driver_waits_possible(void)
{
    return true;
}

void driver_waits_awake(uint64_t ns)
{
    atomic_store(&off_ns, 0);
    atomic_store(&off_until, 0);
    atomic_store(&polls_ns, ns);
}

#endif
