/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c - each thread takes the pieces of its share of an index range, then what is left of the others' shares.
 *
 * Thread k's share is the k-th part of the range, so that from op to op a thread works on the rows that are in its cache. Piece
 * boundaries depend on n and grain alone.
 *
 * A worker that waits for a job spins for a while before it sleeps: the ops of a network follow each other within microseconds, and
 * waking a thread takes tens of them. The caller does not wait for a worker that slept through a job: a worker counts itself in
 * (`active`), then looks whether the job is still `open`; the caller closes the job, then waits for those counted in. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "lib/base/threads.h"
#include "lib/base/aligned.h"
#include "lib/base/clock.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SPIN_NS = 1000000 }; /* longer than most ops that run on one thread take */

/* A thread and its share of the job's pieces. */
struct share {
    _Alignas(64) atomic_size_t next; /* first piece that nobody has taken */
    size_t end;
    struct threads *pool;
    pthread_t id; /* of shares 1 and up; the caller is share 0 */
};

struct threads {
    int count;           /* the caller included */
    struct share *share; /* [count] */
    bool spin;           /* every thread has a processor to itself */
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    atomic_uint job;   /* number of the newest job */
    atomic_bool open;  /* it may be joined */
    atomic_int active; /* workers that may be at it */
    atomic_bool quit;

    void (*fn)(void *arg, size_t begin, size_t end);
    void *arg;
    size_t n, grain;
};

static bool is_bounded(int what)
{
    struct rlimit limit;

    return !getrlimit(what, &limit) && limit.rlim_cur != RLIM_INFINITY;
}

bool threads_have_bounded_memory(void)
{
    return is_bounded(RLIMIT_AS) || is_bounded(RLIMIT_DATA);
}

static atomic_uint n_left;

void threads_leave(pthread_t thread)
{
    pthread_detach(thread);
    atomic_fetch_add(&n_left, 1);
}

unsigned threads_left(void)
{
    return atomic_load(&n_left);
}

static void take_pieces(struct threads *t, int self)
{
    for (int k = 0; k < t->count; k++) {
        struct share *s = &t->share[(self + k) % t->count];
        size_t piece;

        while ((piece = atomic_fetch_add(&s->next, 1)) < s->end) {
            size_t begin = piece * t->grain;

            t->fn(t->arg, begin, t->n - begin < t->grain ? t->n : begin + t->grain);
        }
    }
}

static void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__ || (defined __arm__ && __ARM_ARCH >= 7)
    __asm__ volatile("yield");
#endif
}

static bool job_is_new(const struct threads *t, unsigned seen)
{
    return atomic_load(&t->job) != seen;
}

static bool none_active(const struct threads *t, unsigned unused)
{
    (void)unused;
    return !atomic_load(&t->active);
}

/* Waits until ready(t, arg), awake at first, then asleep until `wake` is signalled. */
static void wait_until(struct threads *t, bool (*ready)(const struct threads *t, unsigned arg), unsigned arg, pthread_cond_t *wake)
{
    uint64_t end = t->spin ? clock_ns() + SPIN_NS : 0;

    while (t->spin && clock_ns() < end)
        for (int i = 0; i < 32; i++) {
            if (ready(t, arg))
                return;
            pause_briefly();
        }
    pthread_mutex_lock(&t->lock);
    while (!ready(t, arg))
        pthread_cond_wait(wake, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

static void *worker_main(void *arg)
{
    struct share *self = arg;
    struct threads *t = self->pool;

    for (unsigned seen = 0;;) {
        wait_until(t, job_is_new, seen, &t->start);
        seen = atomic_load(&t->job);
        if (atomic_load(&t->quit)) /* set before the job that announces it was counted */
            return NULL;
        atomic_fetch_add(&t->active, 1);
        if (atomic_load(&t->open))
            take_pieces(t, (int)(self - t->share));
        if (atomic_fetch_sub(&t->active, 1) == 1) {
            pthread_mutex_lock(&t->lock);
            pthread_cond_signal(&t->done);
            pthread_mutex_unlock(&t->lock);
        }
    }
}

static void announce_job(struct threads *t)
{
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->job, 1);
    pthread_cond_broadcast(&t->start);
    pthread_mutex_unlock(&t->lock);
}

int threads_processors(void)
{
    cpu_set_t set;
    long n = sched_getaffinity(0, sizeof set, &set) ? sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set);

    return n < 1 ? 1 : (int)n;
}

enum status threads_new(int n, struct threads **out, struct err *err)
{
    struct threads *t = calloc(1, sizeof *t);

    *out = NULL;
    n = n < 1 ? 1 : n;
    if (!t || !(t->share = aligned_new(_Alignof(struct share), (size_t)n * sizeof *t->share))) {
        free(t);
        return err_set(err, ST_NOMEM, "out of memory for %d threads", n);
    }
    t->spin = threads_processors() >= n; /* spinning for a thread that waits for our processor would only keep it waiting */
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->start, NULL);
    pthread_cond_init(&t->done, NULL);
    for (int made = 0; made < n; made++) {
        struct share *s = &t->share[made];

        *s = (struct share){.pool = t};
        if (made && pthread_create(&s->id, NULL, worker_main, s)) {
            threads_free(t);
            return err_set(err, ST_FAILED, "only %d of %d threads could be started", made, n);
        }
        t->count = made + 1;
    }
    *out = t;
    return ST_OK;
}

void threads_free(struct threads *t)
{
    if (!t)
        return;
    atomic_store(&t->quit, true);
    announce_job(t);
    for (int i = 1; i < t->count; i++)
        pthread_join(t->share[i].id, NULL);
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->start);
    pthread_mutex_destroy(&t->lock);
    free(t->share);
    free(t);
}

void threads_for(struct threads *t, size_t n, size_t grain, void (*fn)(void *arg, size_t begin, size_t end), void *arg)
{
    if (t->count == 1 || n <= grain) {
        for (size_t begin = 0; begin < n; begin += grain)
            fn(arg, begin, n - begin < grain ? n : begin + grain);
        return;
    }
    t->fn = fn;
    t->arg = arg;
    t->n = n;
    t->grain = grain;
    for (size_t k = 0, pieces = (n - 1) / grain + 1, count = (size_t)t->count; k < count; k++) {
        t->share[k].next = k * (pieces / count) + (k < pieces % count ? k : pieces % count);
        t->share[k].end = t->share[k].next + pieces / count + (k < pieces % count);
    }
    atomic_store(&t->open, true);
    announce_job(t);
    take_pieces(t, 0);
    atomic_store(&t->open, false);
    wait_until(t, none_active, 0, &t->done);
}
