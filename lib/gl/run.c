/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - an inference: inputs to staging, the dispatches, outputs from staging. */
#include "compiled.h"
#include "../clock.h"

#include <string.h>

#define WAIT_NS 1000000000u

static enum status upload(struct gl_compiled *k, struct err *err)
{
    char *map;

    if (!k->n_uploads)
        return ST_OK;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, k->buffers[GL_STORE_STAGING]);
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)k->staging_read,
                           GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
    if (!map)
        return err_set(err, ST_FAILED, "the driver does not map the inputs for writing (GL error 0x%x)", glGetError());
    for (uint32_t i = 0; i < k->n_uploads; i++)
        memcpy(map + k->uploads[i].offset, k->uploads[i].tensor->data, k->uploads[i].tensor->bytes);
    if (!glUnmapBuffer(GL_SHADER_STORAGE_BUFFER))
        return err_set(err, ST_FAILED, "the driver lost the inputs while they were written");
    return ST_OK;
}

static enum status download(struct gl_compiled *k, struct err *err)
{
    const char *map;

    if (!k->n_downloads)
        return ST_OK;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, k->buffers[GL_STORE_STAGING]);
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, (GLintptr)k->staging_read, (GLsizeiptr)(k->memory.staging - k->staging_read),
                           GL_MAP_READ_BIT);
    if (!map)
        return err_set(err, ST_FAILED, "the driver does not map the outputs for reading (GL error 0x%x)", glGetError());
    for (uint32_t i = 0; i < k->n_downloads; i++)
        memcpy(k->downloads[i].tensor->data, map + (k->downloads[i].offset - k->staging_read), k->downloads[i].tensor->bytes);
    if (!glUnmapBuffer(GL_SHADER_STORAGE_BUFFER))
        return err_set(err, ST_FAILED, "the driver lost the outputs while they were read");
    return ST_OK;
}

static void dispatch(struct gl_compiled *k, const struct gl_dispatch *d)
{
    const struct gl_shader *p = &d->shader;

    if (d->barrier)
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    glUseProgram(k->programs.list[d->program]->program);
    if (p->n_numbers)
        glBindBufferRange(GL_UNIFORM_BUFFER, 0, k->buffers[GL_STORE_NUMBERS], (GLintptr)d->numbers, 16 * (GLsizeiptr)p->n_numbers);
    for (uint32_t i = 0; i < p->n_bind; i++)
        if (p->bind[i].image)
            glBindImageTexture(p->bind[i].unit, d->ranges[i].image, 0, GL_TRUE, 0, GL_READ_ONLY, gl_image_format(&p->bind[i]));
        else
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, i, k->buffers[d->ranges[i].store], (GLintptr)d->ranges[i].offset,
                              (GLsizeiptr)d->ranges[i].bytes);
    glDispatchCompute(p->groups[0], p->groups[1], p->groups[2]);
}

/* Until all work is done; polling keeps the CPU awake and so answers sooner. */
static enum status wait_done(struct gl_compiled *k, struct err *err)
{
    GLuint64 timeout = k->set.wait_active ? 0 : WAIT_NS;
    GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    GLenum got;

    if (!fence)
        return err_set(err, ST_FAILED, "the driver makes no fence (GL error 0x%x)", glGetError());
    do
        got = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, timeout);
    while (got == GL_TIMEOUT_EXPIRED);
    glDeleteSync(fence);
    if (got == GL_WAIT_FAILED)
        return err_set(err, ST_FAILED, "waiting for the GPU failed (GL error 0x%x)", glGetError());
    return ST_OK;
}

static enum status finish(struct gl_compiled *k, struct err *err)
{
    enum status st;

    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    if ((st = wait_done(k, err)) || (st = download(k, err)))
        return st;
    return gl_context_check(k->set.context, "running", err);
}

enum status gl_run(struct gl_compiled *k, struct err *err)
{
    enum status st = upload(k, err);

    if (st)
        return st;
    for (uint32_t i = 0; i < k->n_dispatches; i++)
        dispatch(k, &k->dispatches[i]);
    return finish(k, err);
}

/* ---- profiling ---- */

static enum status prepare_timing(struct gl_compiled *k, struct err *err)
{
    if (k->timings)
        return ST_OK;
    if (!(k->timings = ARENA_ARRAY(&k->arena, k->n_dispatches, struct delegate_timing)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < k->n_dispatches; i++) {
        const struct gl_dispatch *d = &k->dispatches[i];

        k->timings[i] = (struct delegate_timing){.kind = d->kind, .label = d->label};
        if (d->shader.op) {
            k->timings[i].nodes = d->shader.op->nodes;
            k->timings[i].n_nodes = d->shader.op->n_nodes;
        }
    }
    if (!k->set.context->timer_query || !k->set.context->limits.policy.timer)
        return ST_OK;
    if (!(k->queries = ARENA_ARRAY(&k->arena, k->n_dispatches, GLuint)))
        return ir_nomem(err);
    glGenQueriesEXT((GLsizei)k->n_dispatches, k->queries);
    return ST_OK;
}

/* Without timer queries the clock runs from an idle GPU to an idle GPU, so each time has a round trip in it. */
static void dispatch_clocked(struct gl_compiled *k, uint32_t i)
{
    uint64_t start;

    glFinish();
    start = clock_ns();
    dispatch(k, &k->dispatches[i]);
    glFinish();
    k->timings[i].ns = clock_ns() - start;
    k->timings[i].timed = true;
}

static void dispatch_queried(struct gl_compiled *k, uint32_t i)
{
    glBeginQueryEXT(GL_TIME_ELAPSED_EXT, k->queries[i]);
    dispatch(k, &k->dispatches[i]);
    glEndQueryEXT(GL_TIME_ELAPSED_EXT);
}

static void read_queries(struct gl_compiled *k)
{
    GLint disjoint = 0;

    for (uint32_t i = 0; i < k->n_dispatches; i++) {
        GLuint64 ns = 0;

        glGetQueryObjectui64vEXT(k->queries[i], GL_QUERY_RESULT_EXT, &ns);
        k->timings[i].ns = ns;
    }
    /* Set when the GPU changed its clock or lost time meanwhile: then no result can be trusted. */
    glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
    for (uint32_t i = 0; i < k->n_dispatches; i++)
        k->timings[i].timed = !disjoint;
}

enum status gl_run_timed(struct gl_compiled *k, struct err *err)
{
    enum status st = prepare_timing(k, err);

    if (st || (st = upload(k, err)))
        return st;
    for (uint32_t i = 0; i < k->n_dispatches; i++)
        (k->queries ? dispatch_queried : dispatch_clocked)(k, i);
    if ((st = finish(k, err)))
        return st;
    if (k->queries)
        read_queries(k);
    return ST_OK;
}
