/* SPDX-License-Identifier: Apache-2.0 */
/* buffer.c - the buffers of a compiled partition. */
#include "compiled.h"

#include <string.h>

static enum status make_buffer(struct gl_compiled *k, enum gl_store store, GLenum usage, struct err *err)
{
    static const char *const doing[GL_STORES] = {"allocating intermediate values", "allocating constants", "allocating staging",
                                                 "allocating numbers"};
    uint64_t bytes = k->bytes[store];

    if (bytes > PTRDIFF_MAX)
        return err_set(err, ST_NOMEM, "%llu bytes in one GPU buffer", (unsigned long long)bytes);
    glGenBuffers(1, &k->buffers[store]);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, k->buffers[store]);
    /* An empty buffer cannot be mapped or bound. */
    glBufferData(GL_SHADER_STORAGE_BUFFER, bytes ? (GLsizeiptr)bytes : 16, NULL, usage);
    return gl_context_check(k->set.context, doing[store], err);
}

static enum status write_numbers(const struct gl_compiled *k, char *to, struct err *err)
{
    (void)err;
    for (uint32_t i = 0; i < k->n_dispatches; i++)
        memcpy(to + k->dispatches[i].numbers, k->dispatches[i].shader.numbers, 16 * (size_t)k->dispatches[i].shader.n_numbers);
    return ST_OK;
}

static enum status fill(struct gl_compiled *k, enum gl_store store,
                        enum status (*write)(const struct gl_compiled *k, char *to, struct err *err), struct err *err)
{
    enum status st;
    uint64_t bytes = k->bytes[store];
    char *map;

    if (!bytes)
        return ST_OK;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, k->buffers[store]);
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (!map)
        return err_set(err, ST_FAILED, "the driver does not map %llu bytes of constants (GL error 0x%x)", (unsigned long long)bytes,
                       glGetError());
    st = write(k, map, err);
    if (!glUnmapBuffer(GL_SHADER_STORAGE_BUFFER) && !st)
        return err_set(err, ST_FAILED, "the driver lost the constants while they were written");
    return st ? st : gl_context_check(k->set.context, "writing constants", err);
}

enum status gl_make_buffers(struct gl_compiled *k, struct err *err)
{
    static const GLenum usage[GL_STORES] = {GL_DYNAMIC_COPY, GL_STATIC_DRAW, GL_DYNAMIC_READ, GL_STATIC_DRAW};
    enum status st = ST_OK;

    for (int store = 0; store < GL_STORES && !st; store++)
        st = make_buffer(k, (enum gl_store)store, usage[store], err);
    if (!st)
        st = fill(k, GL_STORE_CONSTANTS, gl_pack_constants, err);
    return st ? st : fill(k, GL_STORE_NUMBERS, write_numbers, err);
}
