/* SPDX-License-Identifier: Apache-2.0 */
/* staging.c - two sets of staging that runs take in turns.
 *
 * With one set the inputs of the next run cannot be written before the device has read those of the last one: a driver waits for
 * that, or copies once more. Outputs would allow the same, but nobody reads those of a run that others follow: session_wait reads
 * the last one's. What the CPU lays out itself (host_layout.h) goes straight to the values, of which there is one set: that it maps
 * as any other memory, and the driver waits. */
#include "compiled.h"

enum status gl_staging_take(struct gl_compiled *k, const struct gl_waiting *how, struct err *err)
{
    struct gl_shared *s = k->set.shared;
    GLsync *last = &s->last[s->turn ^ 1];
    enum status st = ST_OK;

    if (!k->set.ahead)
        return ST_OK;
    s->turn ^= 1;
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
