/* SPDX-License-Identifier: Apache-2.0 */
/* wait.c - see wait.h */
#include "lib/gl/device/wait.h"

#include "lib/base/clock.h"

#define MS 1000000u

/* A sleep of the driver's ends after so long, for there are drivers that cut longer ones down to nothing. */
#define SLEEP_NS (1000u * (uint64_t)MS)

static uint64_t sleep_ns(const struct gl_waiting *how, uint64_t start)
{
    uint64_t limit = (uint64_t)how->timeout_ms * MS, passed = clock_ns() - start;

    if (how->active)
        return 0;
    if (!how->timeout_ms)
        return SLEEP_NS;
    if (passed >= limit)
        return 0;
    return limit - passed < SLEEP_NS ? limit - passed : SLEEP_NS;
}

static bool in_time(const struct gl_waiting *how, uint64_t start)
{
    return !how->timeout_ms || clock_ns() - start < (uint64_t)how->timeout_ms * MS;
}

enum status gl_wait_fence(struct gl_context *c, GLsync fence, const struct gl_waiting *how, struct err *err)
{
    uint64_t start = clock_ns();
    bool more;
    GLenum got;

    /* It is looked at once more after the time is up: a process that was not run meanwhile is not the GPU's fault. */
    do {
        more = in_time(how, start);
        got = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, sleep_ns(how, start));
    } while (got == GL_TIMEOUT_EXPIRED && more);
    if (got == GL_TIMEOUT_EXPIRED) {
        c->stuck = true;
        return err_set(err, ST_FAILED, "the GPU has not finished after %llu ms; at most %u ms are waited for (--gpu_timeout_ms)",
                       (unsigned long long)((clock_ns() - start) / MS), how->timeout_ms);
    }
    if (got != GL_ALREADY_SIGNALED && got != GL_CONDITION_SATISFIED)
        return err_set(err, ST_FAILED, "waiting for the GPU failed (GL error 0x%x)", glGetError());
    return ST_OK;
}

enum status gl_fence(GLsync *fence, struct err *err)
{
    *fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    return *fence ? ST_OK : err_set(err, ST_FAILED, "the driver makes no fence (GL error 0x%x)", glGetError());
}

enum status gl_wait(struct gl_context *c, const struct gl_waiting *how, struct err *err)
{
    GLsync fence;
    enum status st;

    if (c->limits.policy.finish) {
        glFinish();
        return ST_OK;
    }
    if ((st = gl_fence(&fence, err)))
        return st;
    st = gl_wait_fence(c, fence, how, err);
    glDeleteSync(fence);
    return st;
}
