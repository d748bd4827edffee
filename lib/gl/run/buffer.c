/* SPDX-License-Identifier: Apache-2.0 */
/* buffer.c - the buffers that a compiled partition has for itself: constants, numbers and state. */
#include "lib/gl/plan/compiled.h"

#include <string.h>

#include "lib/base/clock.h"

static enum status make_buffer(struct gl_compiled *k, enum gl_store store, struct err *err)
{
    static const char *const doing[GL_STORES] = {[GL_STORE_CONSTANTS] = "allocating constants",
                                                 [GL_STORE_STATE] = "allocating state",
                                                 [GL_STORE_UNIFORMS] = "allocating numbers"};
    uint64_t bytes = k->plan->store_bytes[store];

    if (bytes > PTRDIFF_MAX)
        return err_set(err, ST_NOMEM, "%llu bytes in one GPU buffer", (unsigned long long)bytes);
    glGenBuffers(1, &k->buffers[store]);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, k->buffers[store]);
    /* An empty buffer cannot be mapped or bound. */
    glBufferData(GL_SHADER_STORAGE_BUFFER, bytes ? (GLsizeiptr)bytes : 16, NULL,
                 store == GL_STORE_STATE ? GL_DYNAMIC_COPY : GL_STATIC_DRAW);
    return gl_context_check(k->set.context, doing[store], err);
}

static enum status write_numbers(const struct gl_compiled *k, char *to, struct err *err)
{
    (void)err;
    memcpy(to, gl_plan_array(k->plan, GL_PLAN_UNIFORMS), k->plan->store_bytes[GL_STORE_UNIFORMS]);
    return ST_OK;
}

static enum status fill(struct gl_compiled *k, enum gl_store store,
                        enum status (*write)(const struct gl_compiled *k, char *to, struct err *err), struct err *err)
{
    enum status st;
    uint64_t bytes = k->plan->store_bytes[store];
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

/* From the stored start, or packed; where they are to be stored, by way of a copy: mapped memory may be slow to read. */
static enum status write_constants(const struct gl_compiled *k, char *to, struct err *err)
{
    enum status st;

    if (k->entry.map) {
        memcpy(to, gl_restored_constants(k), k->plan->store_bytes[GL_STORE_CONSTANTS]);
        return ST_OK;
    }
    if (!k->packed)
        return gl_pack_constants(&k->draft, to, err);
    if (!(st = gl_pack_constants(&k->draft, k->packed, err)))
        memcpy(to, k->packed, k->plan->store_bytes[GL_STORE_CONSTANTS]);
    return st;
}

enum status gl_make_buffers(struct gl_compiled *k, struct err *err)
{
    const uint64_t staging = k->plan->store_bytes[GL_STORE_STAGING];
    const uint64_t shared[GL_SHARED_KINDS] = {k->plan->store_bytes[GL_STORE_VALUES], staging, gl_staging_other(k)};
    enum status st = gl_shared_join(k->set.shared, k->set.context, shared, err);
    uint64_t clock;

    if (st)
        return st;
    k->joined = true;
    if ((st = gl_follow_shared(k, err)) || (st = make_buffer(k, GL_STORE_CONSTANTS, err)) ||
        (st = make_buffer(k, GL_STORE_UNIFORMS, err)) ||
        (k->plan->store_bytes[GL_STORE_STATE] && (st = make_buffer(k, GL_STORE_STATE, err))))
        return st;
    clock = clock_ns();
    if (!(st = fill(k, GL_STORE_CONSTANTS, write_constants, err)))
        st = fill(k, GL_STORE_UNIFORMS, write_numbers, err);
    k->memory.pack_ns += clock_ns() - clock;
    return st;
}
