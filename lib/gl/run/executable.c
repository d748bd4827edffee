/* SPDX-License-Identifier: Apache-2.0 */
/* executable.c - the GL objects of a plan, from the buffers of constants, numbers and state to views of them. */
#include "lib/gl/run/executable.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/gl/run/executable_impl.h"
#include "lib/gl/run/memory_limit.h"

static enum status make_buffer(struct gl_executable *x, enum gl_store store, struct err *err)
{
    static const char *const doing[GL_STORES] = {[GL_STORE_CONSTANTS] = "allocating constants",
                                                 [GL_STORE_STATE] = "allocating state",
                                                 [GL_STORE_UNIFORMS] = "allocating numbers"};
    uint64_t bytes = x->plan->store_bytes[store];

    if (bytes > PTRDIFF_MAX)
        return err_set(err, ST_NOMEM, "%llu bytes in one GPU buffer", (unsigned long long)bytes);
    glGenBuffers(1, &x->buffers[store]);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, x->buffers[store]);
    /* An empty buffer cannot be mapped or bound. */
    glBufferData(GL_SHADER_STORAGE_BUFFER, bytes ? (GLsizeiptr)bytes : 16, NULL,
                 store == GL_STORE_STATE ? GL_DYNAMIC_COPY : GL_STATIC_DRAW);
    return gl_context_check(x->set.context, doing[store], err);
}

static enum status write_numbers(void *arg, char *to, struct err *err)
{
    const struct gl_plan *plan = ((const struct gl_executable *)arg)->plan;

    (void)err;
    memcpy(to, gl_plan_array(plan, GL_PLAN_UNIFORMS), plan->store_bytes[GL_STORE_UNIFORMS]);
    return ST_OK;
}

static enum status fill(struct gl_executable *x, enum gl_store store, enum status (*write)(void *arg, char *to, struct err *err),
                        void *arg, struct err *err)
{
    enum status st;
    uint64_t bytes = x->plan->store_bytes[store];
    char *map;

    if (!bytes)
        return ST_OK;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, x->buffers[store]);
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (!map)
        return err_set(err, ST_FAILED, "the driver does not map %llu bytes of constants (GL error 0x%x)", (unsigned long long)bytes,
                       glGetError());
    st = write(arg, map, err);
    if (!glUnmapBuffer(GL_SHADER_STORAGE_BUFFER) && !st)
        return err_set(err, ST_FAILED, "the driver lost the constants while they were written");
    return st ? st : gl_context_check(x->set.context, "writing constants", err);
}

/* Takes its share of set.shared, makes the other buffers of the plan and fills them. */
static enum status make_buffers(struct gl_executable *x, const struct gl_loading *from, struct err *err)
{
    const uint64_t staging = x->plan->store_bytes[GL_STORE_STAGING];
    const uint64_t shared[GL_SHARED_KINDS] = {x->plan->store_bytes[GL_STORE_VALUES], staging, gl_staging_other(x)};
    enum status st = gl_shared_join(x->set.shared, x->set.context, shared, err);
    uint64_t clock;

    if (st)
        return st;
    x->joined = true;
    x->set.shared->own_bytes += gl_plan_own_bytes(x->plan);
    if ((st = gl_follow_shared(x, err)) || (st = make_buffer(x, GL_STORE_CONSTANTS, err)) ||
        (st = make_buffer(x, GL_STORE_UNIFORMS, err)) ||
        (x->plan->store_bytes[GL_STORE_STATE] && (st = make_buffer(x, GL_STORE_STATE, err))))
        return st;
    clock = clock_ns();
    if (!(st = fill(x, GL_STORE_CONSTANTS, from->write, from->arg, err)))
        st = fill(x, GL_STORE_UNIFORMS, write_numbers, x, err);
    x->pack_ns = clock_ns() - clock;
    return st;
}

enum status gl_executable_new(const struct gl_run_settings *set, const struct gl_loading *from, struct gl_executable **out,
                              struct err *err)
{
    struct gl_executable *x = *out = calloc(1, sizeof *x);
    enum status st;

    if (!x) {
        free(from->plan);
        gl_programs_release(&set->context->programs, from->programs);
        return err_set(err, ST_NOMEM, "out of memory");
    }
    *x = (struct gl_executable){.set = *set, .graph = from->graph, .part = from->part, .plan = from->plan};
    gl_programs_move(from->programs, &x->programs);
    if ((st = make_buffers(x, from, err)) || (st = gl_get_textures(x, err)) || (st = gl_make_images(x, err))) {
        gl_executable_free(x);
        *out = NULL;
    }
    return st;
}

/* The context is current. */
static void drop_objects(struct gl_executable *x)
{
    if (x->queries && x->queries_of == x->set.context->context)
        glDeleteQueriesEXT((GLsizei)gl_n_queries(x), x->queries);
    gl_drop_users(x);
    if (x->images)
        glDeleteTextures((GLsizei)gl_plan_n(x->plan, GL_PLAN_VIEWS), x->images);
    glDeleteBuffers(1, &x->buffers[GL_STORE_CONSTANTS]);
    glDeleteBuffers(1, &x->buffers[GL_STORE_UNIFORMS]);
    glDeleteBuffers(1, &x->buffers[GL_STORE_STATE]);
    if (x->arrays)
        gl_shared_give_back(x->set.shared, x->arrays, gl_plan_n(x->plan, GL_PLAN_TEXTURES));
    if (x->joined) {
        x->set.shared->own_bytes -= gl_plan_own_bytes(x->plan);
        gl_shared_leave(x->set.shared);
    }
    glUseProgram(0); /* the one in use would stay */
}

void gl_executable_free(struct gl_executable *x)
{
    bool current = x && gl_context_is_current(x->set.context);

    if (!x)
        return;
    if (current)
        drop_objects(x);
    gl_programs_release(current ? &x->set.context->programs : NULL, &x->programs);
    arena_free(&x->arena);
    free(x->images);
    free(x->arrays);
    free(x->users);
    free(x->user_of);
    free((void *)x->plan);
    free(x);
}
