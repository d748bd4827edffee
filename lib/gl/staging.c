/* SPDX-License-Identifier: Apache-2.0 */
/* staging.c - two sets of staging that runs take in turns.
 *
 * With one set the inputs of the next run cannot be written before the device has read those of the last one: a driver waits for
 * that, or copies once more. Outputs would allow the same, but nobody reads those of a run that others follow: session_wait reads
 * the last one's. What the CPU lays out itself (host_layout.h) goes straight to the values, of which there is one set: that it maps
 * as any other memory, and the driver waits. */
#include "compiled.h"

bool gl_crosses(const struct gl_compiled *k, bool output, enum gl_store store)
{
    const enum gl_plan_part part = output ? GL_PLAN_DOWNLOADS : GL_PLAN_UPLOADS;
    const struct gl_plan_transfer *t = gl_plan_array(k->plan, part);

    for (uint32_t i = 0; i < gl_plan_n(k->plan, part); i++)
        if (t[i].store == store && gl_is_by_host(k, output, i) && !gl_is_laid_out(k, output, i))
            return true;
    return false;
}

bool gl_uses_staging(const struct gl_compiled *k)
{
    return gl_crosses(k, false, GL_STORE_STAGING) || gl_crosses(k, true, GL_STORE_STAGING);
}

uint64_t gl_staging_other(const struct gl_compiled *k)
{
    return k->set.ahead && gl_uses_staging(k) ? k->plan->store_bytes[GL_STORE_STAGING] : 0;
}

void gl_staging_count(struct gl_compiled *const *ks, uint32_t n)
{
    uint64_t first = 0, other = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *bytes = ks[i]->plan->store_bytes, more = gl_staging_other(ks[i]);

        first = bytes[GL_STORE_STAGING] > first ? bytes[GL_STORE_STAGING] : first;
        other = more > other ? more : other;
        ks[i]->memory.staging = bytes[GL_STORE_STATE];
    }
    ks[0]->memory.staging += first + other;
}

/* Where the second set is too small, as nobody had gone through it, the first one is taken again. */
enum status gl_staging_take(struct gl_compiled *k, const struct gl_waiting *how, struct err *err)
{
    struct gl_shared *s = k->set.shared;
    GLsync *last;
    enum status st = ST_OK;

    if (!k->set.ahead)
        return ST_OK;
    s->turn = !s->turn && s->bytes[GL_SHARED_OTHER_STAGING] >= k->plan->store_bytes[GL_STORE_STAGING];
    last = &s->last[s->turn];
    k->buffers[GL_STORE_STAGING] = s->buffer[GL_SHARED_STAGING + s->turn];
    if (*last) {
        k->set.traffic->waits++;
        st = gl_wait_fence(k->set.context, *last, how, err);
    }
    if (*last && !st) {
        glDeleteSync(*last);
        *last = NULL;
    }
    return st;
}

enum status gl_staging_mark(struct gl_compiled *k, struct err *err)
{
    return k->set.ahead ? gl_fence(&k->set.shared->last[k->set.shared->turn], err) : ST_OK;
}
