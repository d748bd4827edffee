/* SPDX-License-Identifier: Apache-2.0 */
/* concurrent_worker.c - a worker's tasks: open, run until told to stop, compare each run's outputs with the first, close. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/benchmark/concurrent.h"
#include "lib/base/clock.h"
#include "lib/delegate/assignment.h"

/* ---- delegates that several workers share ---- */

static void take_delegates(const struct worker_self *self)
{
    struct delegate *const *all = self->b->tool.delegates.all;

    for (uint32_t i = 0; all[i]; i++)
        if (all[i]->ops->move)
            all[i]->ops->move(all[i]);
}

/* Returns the turn, for end_turn. */
static unsigned begin_turn(const struct worker_self *self)
{
    const unsigned turn = atomic_fetch_add(&self->shared->ticket, 1);

    while (sem_wait(&self->shared->turns[turn % WORKERS_MAX]))
        ;
    take_delegates(self);
    return turn;
}

static void end_turn(const struct worker_self *self, unsigned turn)
{
    sem_post(&self->shared->turns[(turn + 1) % WORKERS_MAX]);
}

/* ---- open and close ---- */

static enum status check_opened(const struct worker_self *self, bool shared, struct err *err)
{
    struct delegate *const *all = self->b->tool.delegates.all;

    for (uint32_t i = 0; all[i]; i++) {
        if (shared && !all[i]->ops->move)
            return err_set(err, ST_USAGE, "--concurrent_context=shared is for a delegate with a GL context, and %s has none",
                           all[i]->type->label);
        if (all[i]->submission.counted || all[i]->io_in_buffers)
            return err_set(err, ST_USAGE, "models that run together wait for each run: not with %s",
                           all[i]->submission.counted ? "--gpu_wait_type=none" : "--gpu_io=buffer");
    }
    return ST_OK;
}

static enum status keep_outputs(struct worker_self *self, struct err *err)
{
    const struct session *s = self->b->session;
    const uint32_t n = session_n_outputs(s);

    self->first = calloc(n + 1, sizeof *self->first);
    self->first_bytes = calloc(n + 1, sizeof *self->first_bytes);
    for (uint32_t i = 0; i < n && self->first && self->first_bytes; i++) {
        const struct tensor *t = session_output(s, i);

        if (!t || !t->bytes)
            continue;
        if (!(self->first[i] = malloc(t->bytes)))
            return err_set(err, ST_NOMEM, "out of memory for an output of %zu bytes", t->bytes);
        self->first_bytes[i] = t->bytes;
        memcpy(self->first[i], t->data, t->bytes);
    }
    return self->first && self->first_bytes ? ST_OK : err_set(err, ST_NOMEM, "out of memory for %u outputs", n);
}

static void describe(const struct worker_self *self)
{
    const struct benchmark *b = self->b;
    const struct delegate *d = b->tool.delegates.opened;
    const struct assignment sum = assignment_of(session_graph(b->session), session_partitioning(b->session));

    self->w->n_delegated = sum.n_delegated;
    self->w->n_cpu = sum.n_cpu;
    self->w->init_us = bench_init_us(&b->times);
    if (d) {
        snprintf(self->w->device, sizeof self->w->device, "%s", d->device);
        snprintf(self->w->label, sizeof self->w->label, "%s", d->type->label);
    }
}

static enum status open_session(struct worker_self *self, struct err *err)
{
    struct delegates *ds = &self->b->tool.delegates;
    enum status st;

    if (self->owner) {
        memcpy(ds->all, self->owner->tool.delegates.all, sizeof ds->all);
        ds->opened = ds->all[0];
        take_delegates(self);
    }
    if ((st = benchmark_open(self->b, err)) || (st = check_opened(self, self->shared->share_context, err)) ||
        (st = benchmark_fill_inputs(self->b, err)))
        return st;
    describe(self);
    return ST_OK;
}

static void close_session(struct worker_self *self)
{
    struct delegates *ds = &self->b->tool.delegates;
    const uint32_t n = self->b->session ? session_n_outputs(self->b->session) : 0;

    if (self->shared->share_context)
        take_delegates(self);
    for (uint32_t i = 0; self->first && i < n; i++)
        free(self->first[i]);
    free(self->first);
    free(self->first_bytes);
    device_io_free(&self->b->io);
    session_free(self->b->session);
    self->b->session = NULL;
    if (self->owner)
        memset(ds->all, 0, sizeof ds->all);
    for (uint32_t i = 0; ds->all[i]; i++)
        delegate_close(ds->all[i]);
    memset(ds->all, 0, sizeof ds->all);
    ds->opened = NULL;
}

/* ---- runs ---- */

/* The process that gives tasks is gone. */
static bool is_orphan(const struct worker_self *self)
{
    return self->parent && getppid() != self->parent;
}

static void note_difference(const struct worker_self *self, uint32_t output, const struct tensor *t, size_t byte)
{
    const uint32_t bits = type_bits(t->type), others = self->shared->n_running - 1;
    char beside[40] = "alone";
    struct tensor_text text;

    if (others)
        snprintf(beside, sizeof beside, "beside %u other%s", others, others == 1 ? "" : "s");
    snprintf(self->w->difference, sizeof self->w->difference, "run %llu, %s: output %u, %.80s %s, differs from element %zu on",
             (unsigned long long)self->w->compared + 1, beside, output, t->name ? t->name : "", tensor_text(t, &text),
             bits ? byte * 8 / bits : byte);
}

/* The first difference is kept, of all later runs only the number counts. */
static void compare_outputs(const struct worker_self *self)
{
    const struct session *s = self->b->session;

    self->w->compared++;
    for (uint32_t i = 0; i < session_n_outputs(s) && !*self->w->difference; i++) {
        const struct tensor *t = session_output(s, i);
        const size_t bytes = t ? t->bytes : 0, least = bytes < self->first_bytes[i] ? bytes : self->first_bytes[i];
        const unsigned char *now = least ? t->data : NULL, *before = self->first[i];
        size_t at = 0;

        if (bytes == self->first_bytes[i] && (!bytes || !memcmp(now, before, bytes)))
            continue;
        while (at < least && now[at] == before[at])
            at++;
        if (t)
            note_difference(self, i, t, at);
    }
}

/* A full list is thinned out, so that what is kept is of all the time. */
static void keep_span(struct worker *w, size_t run, struct run_span span)
{
    if (run % w->stride)
        return;
    if (w->n_spans == WORKER_SPANS_MAX) {
        for (size_t i = 0; i < WORKER_SPANS_MAX / 2; i++)
            w->spans[i] = w->spans[2 * i];
        w->n_spans /= 2;
        w->stride *= 2;
    }
    w->spans[w->n_spans++] = span;
}

static enum status run_once(struct worker_self *self, struct err *err)
{
    const bool shared = self->shared->share_context;
    struct worker *w = self->w;
    const size_t n = atomic_load_explicit(&w->n_runs, memory_order_relaxed);
    uint64_t begin_ns, end_ns;
    double us;
    unsigned turn = 0;
    enum status st;

    session_reset_variables(self->b->session);
    begin_ns = clock_ns();
    if (shared)
        turn = begin_turn(self);
    st = session_run(self->b->session, err);
    if (shared)
        end_turn(self, turn);
    end_ns = clock_ns();
    if (st)
        return st;
    us = (double)(end_ns - begin_ns - session_outside_ns(self->b->session)) / 1e3 / session_inferences(self->b->session);
    keep_span(w, n, (struct run_span){begin_ns, end_ns, us});
    if (self->first)
        compare_outputs(self);
    else
        st = keep_outputs(self, err);
    atomic_store(&w->n_runs, n + 1);
    return st;
}

/* At least one run, so that the first of all is alone. A run that was given up (Ctrl-C) is no failure. */
static enum status run(struct worker_self *self, struct err *err)
{
    enum status st;

    self->w->n_spans = 0;
    self->w->stride = 1;
    do
        st = run_once(self, err);
    while (!st && !atomic_load(&self->shared->stop) && !is_orphan(self));
    return st == ST_LATER ? ST_OK : st;
}

/* ---- tasks ---- */

/* False if none will come. */
static bool wait_for_task(const struct worker_self *self)
{
    while (self->parent) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        if (!sem_timedwait(&self->w->go, &until))
            return true;
        if (is_orphan(self))
            return false;
    }
    while (sem_wait(&self->w->go))
        ;
    return true;
}

void *worker_main(void *arg)
{
    struct worker_self *self = arg;
    struct worker *w = self->w;
    enum worker_task task = WORKER_OPENS;

    while (task != WORKER_CLOSES && wait_for_task(self)) {
        task = w->task;
        w->status = ST_OK;
        if (task == WORKER_OPENS)
            w->status = open_session(self, &w->err);
        else if (task == WORKER_RUNS)
            w->status = run(self, &w->err);
        else
            close_session(self);
        if (self->parent)
            fflush(NULL);
        atomic_store(&w->failed, w->status != ST_OK);
        sem_post(&w->done);
    }
    return NULL;
}
