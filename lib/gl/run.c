/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - an inference: inputs to staging, the dispatches, outputs from staging. */
#include "compiled.h"
#include "../clock.h"

#include <string.h>

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
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, (GLintptr)k->staging_read,
                           (GLsizeiptr)(k->bytes[GL_STORE_STAGING] - k->staging_read), GL_MAP_READ_BIT);
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

static enum status finish(struct gl_compiled *k, struct err *err)
{
    enum status st;

    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    if ((st = gl_wait(k->set.context, &k->set.wait, err)) || (st = download(k, err)))
        return st;
    return gl_context_check(k->set.context, "running", err);
}

enum status gl_run(struct gl_compiled *k, struct err *err)
{
    uint32_t flush = k->set.context->limits.policy.flush;
    enum status st;

    if ((st = gl_follow_shared(k, err)) || (st = upload(k, err)))
        return st;
    for (uint32_t i = 0; i < k->n_dispatches; i++) {
        dispatch(k, &k->dispatches[i]);
        if (flush && (i + 1) % flush == 0)
            glFlush();
    }
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
static enum status dispatch_clocked(struct gl_compiled *k, uint32_t i, struct err *err)
{
    enum status st = gl_wait(k->set.context, &k->set.wait, err);
    uint64_t start = clock_ns();

    if (st)
        return st;
    dispatch(k, &k->dispatches[i]);
    st = gl_wait(k->set.context, &k->set.wait, err);
    k->timings[i].ns = clock_ns() - start;
    k->timings[i].timed = true;
    return st;
}

static enum status dispatch_queried(struct gl_compiled *k, uint32_t i, struct err *err)
{
    (void)err;
    glBeginQueryEXT(GL_TIME_ELAPSED_EXT, k->queries[i]);
    dispatch(k, &k->dispatches[i]);
    glEndQueryEXT(GL_TIME_ELAPSED_EXT);
    return ST_OK;
}

/* Set when the GPU changed its clock or lost time since this was asked last: then no result from between can be trusted. */
static bool disjoint(void)
{
    GLint got = 0;

    glGetIntegerv(GL_GPU_DISJOINT_EXT, &got);
    return got != 0;
}

static void read_queries(struct gl_compiled *k)
{
    bool trusted;

    for (uint32_t i = 0; i < k->n_dispatches; i++) {
        GLuint64 ns = 0;

        glGetQueryObjectui64vEXT(k->queries[i], GL_QUERY_RESULT_EXT, &ns);
        k->timings[i].ns = ns;
    }
    trusted = !disjoint();
    for (uint32_t i = 0; i < k->n_dispatches; i++)
        k->timings[i].timed = trusted;
}

enum status gl_run_timed(struct gl_compiled *k, struct err *err)
{
    enum status st = prepare_timing(k, err);

    if (st || (st = gl_follow_shared(k, err)) || (st = upload(k, err)))
        return st;
    if (k->queries)
        disjoint(); /* what was before is of no matter */
    for (uint32_t i = 0; i < k->n_dispatches && !st; i++)
        st = (k->queries ? dispatch_queried : dispatch_clocked)(k, i, err);
    if (st || (st = finish(k, err)))
        return st;
    if (k->queries)
        read_queries(k);
    return ST_OK;
}
