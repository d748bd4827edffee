/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_buffer.c - buffers that the delegate "gpu" makes for callers who have no GL of their own. */
#include "lib/gl/gpu/gpu.h"

#include <string.h>

#include "lib/gl/device/context.h"

static enum status make(struct gl_context *c, size_t bytes, uint32_t *id, struct err *err)
{
    GLuint made;
    enum status st;

    if (bytes > PTRDIFF_MAX)
        return err_set(err, ST_NOMEM, "%zu bytes in one GPU buffer", bytes);
    glGenBuffers(1, &made);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, made);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_COPY);
    if ((st = gl_context_check(c, "allocating a buffer of inputs or outputs", err)))
        glDeleteBuffers(1, &made);
    else
        *id = made;
    return st;
}

enum status gpu_buffer_new(struct delegate *d, size_t bytes, uint32_t *id, struct err *err)
{
    struct gl_context *c = gpu_context(d);
    struct gl_current before;
    enum status st;

    bytes += bytes ? 0 : 16; /* an empty one cannot be bound */
    *id = 0;
    if ((st = gpu_take_bytes(d, bytes, err)))
        return st;
    if (!(st = gl_context_enter(c, &before, err)))
        st = gl_context_leave(c, &before, make(c, bytes, id, err), err);
    if (st)
        gpu_give_bytes(d, bytes);
    return st;
}

/* Copies `bytes` from the beginning on, into the buffer or out of it. Mapping waits for what the device does with it. */
static enum status copy(struct gl_context *c, uint32_t id, const void *from, void *to, size_t bytes, struct err *err)
{
    void *map;

    if (!bytes)
        return ST_OK;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id);
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes,
                           from ? GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT : GL_MAP_READ_BIT);
    if (!map)
        return err_set(err, ST_FAILED, "the driver does not map %zu bytes of buffer %u (GL error 0x%x)", bytes, id, glGetError());
    memcpy(from ? map : to, from ? from : map, bytes);
    if (!glUnmapBuffer(GL_SHADER_STORAGE_BUFFER))
        return err_set(err, ST_FAILED, "the driver lost buffer %u while it was copied", id);
    return gl_context_check(c, "copying a buffer", err);
}

enum status gpu_buffer_write(struct delegate *d, uint32_t id, const void *data, size_t bytes, struct err *err)
{
    struct gl_context *c = gpu_context(d);
    struct gl_current before;
    enum status st = gl_context_enter(c, &before, err);

    if (st || (st = gl_context_leave(c, &before, copy(c, id, data, NULL, bytes, err), err)))
        return st;
    d->traffic.written += bytes;
    return ST_OK;
}

enum status gpu_buffer_read(struct delegate *d, uint32_t id, void *data, size_t bytes, struct err *err)
{
    struct gl_context *c = gpu_context(d);
    struct gl_current before;
    enum status st = gl_context_enter(c, &before, err);

    if (st || (st = gl_context_leave(c, &before, copy(c, id, NULL, data, bytes, err), err)))
        return st;
    d->traffic.read += bytes;
    d->traffic.waits++;
    return ST_OK;
}

/* Shaders may have written `from`, and read what `to` had. */
static enum status copy_within(struct gl_context *c, uint32_t from, uint32_t to, size_t bytes, struct err *err)
{
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, from); /* points whose state is saved for a caller */
    glBindBuffer(GL_UNIFORM_BUFFER, to);
    glCopyBufferSubData(GL_SHADER_STORAGE_BUFFER, GL_UNIFORM_BUFFER, 0, 0, (GLsizeiptr)bytes);
    return gl_context_check(c, "copying from buffer to buffer", err);
}

enum status gpu_buffer_copy(struct delegate *d, uint32_t from, uint32_t to, size_t bytes, struct err *err)
{
    struct gl_context *c = gpu_context(d);
    struct gl_current before;
    enum status st = gl_context_enter(c, &before, err);

    return st ? st : gl_context_leave(c, &before, copy_within(c, from, to, bytes, err), err);
}

void gpu_buffer_free(struct delegate *d, uint32_t id)
{
    struct gl_context *c = gpu_context(d);
    struct gl_current before;
    GLint64 bytes = 0;

    if (gl_context_enter(c, &before, NULL))
        return;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id);
    glGetBufferParameteri64v(GL_SHADER_STORAGE_BUFFER, GL_BUFFER_SIZE, &bytes);
    gpu_give_bytes(d, (uint64_t)bytes);
    glDeleteBuffers(1, &id);
    gl_context_leave(c, &before, ST_OK, NULL);
}
