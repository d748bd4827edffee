/* threads.c - workers that take pieces of an index range from a shared counter.
 *
 * Workers sleep on a condition variable between jobs. A job's piece boundaries depend on n and grain alone. */
#include "threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct threads {
    int count;                   /* the caller included */
    pthread_t *worker;           /* [count - 1] */
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    unsigned job;                /* number of the newest job */
    int busy;                    /* workers that have not finished it */
    bool quit;

    void (*fn)(void *arg, size_t begin, size_t end);
    void *arg;
    size_t n, grain;
    atomic_size_t next;          /* first index that nobody has taken */
};

static void take_pieces(struct threads *t)
{
    for (;;) {
        size_t begin = atomic_fetch_add_explicit(&t->next, t->grain, memory_order_relaxed);

        if (begin >= t->n)
            return;
        t->fn(t->arg, begin, t->n - begin < t->grain ? t->n : begin + t->grain);
    }
}

static void *worker_main(void *arg)
{
    struct threads *t = arg;
    unsigned seen = 0;

    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (t->job == seen && !t->quit)
            pthread_cond_wait(&t->start, &t->lock);
        if (t->quit)
            break;
        seen = t->job;
        pthread_mutex_unlock(&t->lock);
        take_pieces(t);
        pthread_mutex_lock(&t->lock);
        if (!--t->busy)
            pthread_cond_signal(&t->done);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

enum status threads_new(int n, struct threads **out, struct err *err)
{
    struct threads *t = calloc(1, sizeof *t);

    *out = NULL;
    n = n < 1 ? 1 : n;
    if (!t || !(t->worker = calloc((size_t)n, sizeof *t->worker))) {
        free(t);
        return err_set(err, ST_NOMEM, "out of memory for %d threads", n);
    }
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->start, NULL);
    pthread_cond_init(&t->done, NULL);
    for (t->count = 1; t->count < n; t->count++)
        if (pthread_create(&t->worker[t->count - 1], NULL, worker_main, t)) {
            int made = t->count;

            threads_free(t);
            return err_set(err, ST_FAILED, "only %d of %d threads could be started", made, n);
        }
    *out = t;
    return ST_OK;
}

void threads_free(struct threads *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->quit = true;
    pthread_cond_broadcast(&t->start);
    pthread_mutex_unlock(&t->lock);
    for (int i = 0; i < t->count - 1; i++)
        pthread_join(t->worker[i], NULL);
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->start);
    pthread_mutex_destroy(&t->lock);
    free(t->worker);
    free(t);
}

int threads_count(const struct threads *t)
{
    return t->count;
}

void threads_for(struct threads *t, size_t n, size_t grain, void (*fn)(void *arg, size_t begin, size_t end), void *arg)
{
    if (t->count == 1 || n <= grain) {
        for (size_t begin = 0; begin < n; begin += grain)
            fn(arg, begin, n - begin < grain ? n : begin + grain);
        return;
    }
    pthread_mutex_lock(&t->lock);
    t->fn = fn;
    t->arg = arg;
    t->n = n;
    t->grain = grain;
    atomic_store_explicit(&t->next, 0, memory_order_relaxed);
    t->busy = t->count - 1;
    t->job++;
    pthread_cond_broadcast(&t->start);
    pthread_mutex_unlock(&t->lock);
    take_pieces(t);
    pthread_mutex_lock(&t->lock);
    while (t->busy)
        pthread_cond_wait(&t->done, &t->lock);
    pthread_mutex_unlock(&t->lock);
}
