/* SPDX-License-Identifier: Apache-2.0 */
/* eval_decode.c - a ring of decoded pictures between the threads that fill it and the one that runs them. */
#include "cmd/evaluation/eval_decode.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/files.h"
#include "cmd/input/input_files.h"
#include "lib/base/clock.h"
#include "lib/base/threads.h"

enum { MOST_THREADS = 4, AHEAD = 2 };

/* ---- one picture ---- */

static enum status read_raw(const struct evaluation *e, const char *path, struct decoded *out, struct err *err)
{
    enum status st;
    size_t bytes;
    void *data;

    if ((st = file_read_all(path, IMAGE_MAX_FILE_BYTES, &data, &bytes, err)))
        return st;
    st = preprocess_numbers(&e->preprocess, data, bytes, &out->input, &out->cut, err);
    free(data);
    return st ? err_prefix(err, st, "%s", path) : ST_OK;
}

enum status eval_read(const struct evaluation *e, const char *path, struct decoded *out, struct err *err)
{
    struct input_read read;
    struct image im;
    enum status st;

    out->cut = 0;
    out->width = out->height = 0;
    if (file_ends_in(path, ".rgb8"))
        return read_raw(e, path, out, err);
    if (file_ends_in(path, ".npy")) {
        st = input_array_fill(&out->input, path, 0, &read, err);
        out->cut = read.cut;
        return st;
    }
    if ((st = image_open(path, &im, err)))
        return st;
    st = preprocess_run(&e->preprocess, &(struct pixels){im.pixels, im.width, im.height, im.channels}, &out->input, &out->cut, err);
    out->width = im.width;
    out->height = im.height;
    image_free(&im);
    return st ? err_prefix(err, st, "%s", path) : ST_OK;
}

static void decode(const struct evaluation *e, const struct picture *p, struct decoded *out)
{
    const uint64_t began = clock_ns();
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s/%s", e->pictures.dir, p->name) >= (int)sizeof path)
        out->st = err_set(&out->err, ST_USAGE, "%.80s: the path is longer than %d bytes", p->name, PATH_MAX);
    else
        out->st = eval_read(e, path, out, &out->err);
    free(out->more);
    out->more = NULL;
    if (!out->st && e->task->read_more)
        out->st = e->task->read_more(e, p, out, &out->err);
    out->us = (double)(clock_ns() - began) / 1e3;
}

/* ---- the ring ---- */

struct slot {
    struct decoded one;
    bool ready; /* filled, and not yet given back */
};

struct decoder {
    const struct evaluation *e;
    const uint32_t *order; /* [n] */
    uint32_t n;
    struct slot *slots; /* [n_slots] picture k is in slot k % n_slots */
    uint32_t n_slots;
    pthread_t threads[MOST_THREADS];
    uint32_t n_threads;
    pthread_mutex_t lock; /* of all below, and of `ready` */
    pthread_cond_t filled, freed;
    uint32_t next;  /* to be decoded by whoever comes */
    uint32_t done;  /* given back */
    uint32_t given; /* pictures that decoder_next has returned */
    bool stop;
};

static void *work(void *arg)
{
    struct decoder *d = arg;

    pthread_mutex_lock(&d->lock);
    while (!d->stop && d->next < d->n) {
        const uint32_t k = d->next++;
        struct slot *s = &d->slots[k % d->n_slots];

        while (!d->stop && k >= d->done + d->n_slots)
            pthread_cond_wait(&d->freed, &d->lock);
        if (d->stop)
            break;
        pthread_mutex_unlock(&d->lock);
        decode(d->e, &d->e->pictures.list[d->order[k]], &s->one);
        pthread_mutex_lock(&d->lock);
        s->ready = true;
        pthread_cond_broadcast(&d->filled);
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

static bool make_slots(struct decoder *d)
{
    const struct tensor *t = session_input(d->e->sides[0].session, 0);

    if (!(d->slots = calloc(d->n_slots, sizeof *d->slots)))
        return false;
    for (uint32_t i = 0; i < d->n_slots; i++) {
        d->slots[i].one.input = *t;
        if (!(d->slots[i].one.input.data = malloc(t->bytes + 1)))
            return false;
    }
    return true;
}

enum status decoder_open(struct decoder **out, const struct evaluation *e, const uint32_t *order, uint32_t n, uint32_t n_threads,
                         struct err *err)
{
    struct decoder *d = calloc(1, sizeof *d);

    *out = d;
    if (!d)
        return err_set(err, ST_NOMEM, "out of memory for the threads that decode");
    n_threads = n_threads < MOST_THREADS ? n_threads : MOST_THREADS;
    *d = (struct decoder){.e = e, .order = order, .n = n, .n_slots = 1 + AHEAD * n_threads};
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->filled, NULL);
    pthread_cond_init(&d->freed, NULL);
    if (!make_slots(d))
        return err_set(err, ST_NOMEM, "out of memory for %u pictures that are decoded ahead", d->n_slots);
    while (d->n_threads < n_threads && !pthread_create(&d->threads[d->n_threads], NULL, work, d))
        d->n_threads++;
    return d->n_threads || !n_threads ? ST_OK : err_set(err, ST_NOMEM, "no thread can be made for decoding (--decode_threads=0)");
}

const struct decoded *decoder_next(struct decoder *d)
{
    const uint32_t k = d->given++;
    struct slot *s = &d->slots[k % d->n_slots];

    if (!d->n_threads) {
        decode(d->e, &d->e->pictures.list[d->order[k]], &s->one);
        return &s->one;
    }
    pthread_mutex_lock(&d->lock);
    if (k) { /* the one before goes back */
        d->slots[(k - 1) % d->n_slots].ready = false;
        d->done = k;
        pthread_cond_broadcast(&d->freed);
    }
    while (!s->ready)
        pthread_cond_wait(&d->filled, &d->lock);
    pthread_mutex_unlock(&d->lock);
    return &s->one;
}

void decoder_close(struct decoder *d)
{
    if (!d)
        return;
    pthread_mutex_lock(&d->lock);
    d->stop = true;
    pthread_cond_broadcast(&d->freed);
    pthread_mutex_unlock(&d->lock);
    for (uint32_t i = 0; i < d->n_threads; i++)
        pthread_join(d->threads[i], NULL);
    for (uint32_t i = 0; d->slots && i < d->n_slots; i++) {
        free(d->slots[i].one.input.data);
        free(d->slots[i].one.more);
    }
    pthread_mutex_destroy(&d->lock);
    pthread_cond_destroy(&d->filled);
    pthread_cond_destroy(&d->freed);
    free(d->slots);
    free(d);
}

uint32_t decoder_threads(const struct eval_flags *f)
{
    const int used = (f->num_threads > 1 ? f->num_threads : 1) + 1, spare = threads_processors() - used;

    if (f->decode_threads >= 0)
        return (uint32_t)f->decode_threads;
    return spare < 0 ? 0 : spare < MOST_THREADS ? (uint32_t)spare : MOST_THREADS;
}
