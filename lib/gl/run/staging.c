/* SPDX-License-Identifier: Apache-2.0 */
/* staging.c - two sets of staging that runs take in turns.
 *
 * With one set the inputs of the next run cannot be written before the device has read those of the last one: a driver waits for
 * that, or copies once more. And outputs must be read before the next run is handed over, while the device has nothing to do. With
 * two, run n + 1 is handed over, and then run n waited for by its own fence and its outputs read; run n + 2 finds that set free.
 *
 * What the CPU lays out itself (host_layout.h) goes straight to the values, of which there is one set: that it maps as any other
 * memory, and the driver waits. A second one would be for nothing: there the device is the CPU, which llvmpipe computes on before
 * glDispatchCompute returns. */
#include "lib/gl/run/executable_impl.h"

bool gl_crosses(const struct gl_executable *x, bool output, enum gl_store store)
{
    const enum gl_plan_part part = output ? GL_PLAN_DOWNLOADS : GL_PLAN_UPLOADS;
    const struct gl_plan_transfer *t = gl_plan_array(x->plan, part);

    for (uint32_t i = 0; i < gl_plan_n(x->plan, part); i++)
        if (t[i].store == store && gl_is_by_host(x, output, i) && !gl_is_laid_out(x, output, i))
            return true;
    return false;
}

bool gl_uses_staging(const struct gl_executable *x)
{
    return gl_crosses(x, false, GL_STORE_STAGING) || gl_crosses(x, true, GL_STORE_STAGING);
}

uint64_t gl_staging_other(const struct gl_executable *x)
{
    return x->set.ahead && gl_uses_staging(x) ? x->plan->store_bytes[GL_STORE_STAGING] : 0;
}

uint64_t gl_staging_bytes(struct gl_executable *const *xs, uint32_t n)
{
    uint64_t first = 0, other = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint64_t bytes = xs[i]->plan->store_bytes[GL_STORE_STAGING], more = gl_staging_other(xs[i]);

        first = bytes > first ? bytes : first;
        other = more > other ? more : other;
    }
    return first + other;
}

static bool has_two(const struct gl_executable *x)
{
    return x->set.ahead && x->set.shared->bytes[GL_SHARED_OTHER_STAGING] >= x->plan->store_bytes[GL_STORE_STAGING];
}

uint32_t gl_ahead(const struct gl_executable *x)
{
    const struct gl_plan_transfer *t = gl_plan_array(x->plan, GL_PLAN_DOWNLOADS);
    bool fetches = false;

    for (uint32_t i = 0; i < gl_plan_n(x->plan, GL_PLAN_DOWNLOADS); i++)
        if (t[i].store == GL_STORE_STAGING && gl_is_by_host(x, true, i)) {
            if (gl_is_laid_out(x, true, i) || x->part->outputs[t[i].tensor]->is_variable)
                return 0; /* where the next run's will be; the next run begins with it */
            fetches = true;
        }
    return fetches ? has_two(x) : UINT32_MAX;
}

static uint32_t less(uint32_t n, uint32_t by)
{
    return n > by ? n - by : 0;
}

/* Until the run is over that took this set; what is behind it is still pending. */
static enum status wait_for(struct gl_executable *x, uint32_t set, const struct gl_waiting *how, struct err *err)
{
    struct gl_shared *s = x->set.shared;
    enum status st;

    if (!s->last[set])
        return ST_OK;
    x->set.traffic->waits++;
    if ((st = gl_wait_fence(x->set.context, s->last[set], how, err)))
        return st;
    glDeleteSync(s->last[set]);
    s->last[set] = NULL;
    x->set.context->pending = less(x->set.context->pending, s->pending[set]);
    s->pending[!set] = less(s->pending[!set], s->pending[set]);
    return ST_OK;
}

/* Where the second set is too small, as nobody had gone through it, the first one is taken again. */
enum status gl_staging_take(struct gl_executable *x, const struct gl_waiting *how, struct err *err)
{
    struct gl_shared *s = x->set.shared;
    const uint32_t turn = !s->turn && has_two(x);
    enum status st;

    if (!x->set.ahead)
        return ST_OK;
    if ((st = wait_for(x, turn, how, err)))
        return st;
    s->turn = turn;
    x->earlier = x->buffers[GL_STORE_STAGING];
    x->buffers[GL_STORE_STAGING] = s->buffer[GL_SHARED_STAGING + turn];
    return ST_OK;
}

enum status gl_staging_wait(struct gl_executable *x, const struct gl_waiting *how, struct err *err)
{
    return wait_for(x, !x->set.shared->turn, how, err);
}

enum status gl_staging_mark(struct gl_executable *x, struct err *err)
{
    struct gl_shared *s = x->set.shared;

    if (!x->set.ahead)
        return ST_OK;
    s->pending[s->turn] = x->set.context->pending;
    return gl_fence(&s->last[s->turn], err);
}
