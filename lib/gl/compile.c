/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - from a partition to dispatches. */
#include "compiled.h"

#include <stdlib.h>

#include "generate.h"

/* Takes over what the draft has, memory and all. */
static enum status take_draft(struct gl_compiled *k, struct gl_draft *d, struct err *err)
{
    enum status st = ST_OK;

    k->arena = d->arena;
    k->n_dispatches = d->n_works;
    k->n_uploads = d->n_uploads;
    k->n_downloads = d->n_downloads;
    k->n_values = d->n_values;
    k->variants = d->variants;
    k->dispatches = ARENA_ARRAY(&k->arena, d->n_works, struct gl_dispatch);
    k->uploads = ARENA_ARRAY(&k->arena, d->n_uploads, struct gl_transfer);
    k->downloads = ARENA_ARRAY(&k->arena, d->n_downloads, struct gl_transfer);
    if (!k->dispatches || !k->uploads || !k->downloads)
        return ir_nomem(err);
    for (uint32_t i = 0; i < d->n_uploads; i++)
        k->uploads[i].tensor = d->uploads[i];
    for (uint32_t i = 0; i < d->n_downloads; i++)
        k->downloads[i].tensor = d->downloads[i];
    for (uint32_t i = 0; i < d->n_works && !st; i++) {
        struct gl_dispatch *to = &k->dispatches[i];

        to->shader = d->works[i].shader;
        to->shader.arena = to->shader.defines.arena = &k->arena;
        to->kind = d->works[i].kind;
        to->label = d->works[i].label;
        st = gl_programs_add(&k->set.context->programs, &k->programs, to->shader.text, to->label, &to->program, err);
    }
    return st;
}

static enum status build_programs(struct gl_compiled *k, struct err *err)
{
    enum status st = gl_programs_build(&k->programs, k->set.context->parallel_compile, k->set.dump_dir, err);

    k->memory.programs = k->programs.first;
    return st ? st : gl_context_check(k->set.context, "compiling shaders", err);
}

static enum status place(struct gl_compiled *k, uint32_t n_values, struct err *err)
{
    enum status st = gl_place(k, n_values, err);

    if (st)
        return st;
    gl_place_numbers(k);
    k->bytes[GL_STORE_VALUES] = k->memory.intermediates;
    k->bytes[GL_STORE_CONSTANTS] = k->memory.constants;
    k->bytes[GL_STORE_STAGING] = k->memory.staging;
    k->memory.constants += k->bytes[GL_STORE_NUMBERS];
    return ST_OK;
}

enum status gl_compile(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct gl_compiled **out,
                       struct err *err)
{
    const struct gl_recipe how = {&set->context->limits, set->half, set->variant};
    struct gl_compiled *k = calloc(1, sizeof *k);
    struct gl_tried tried = {0};
    struct gl_draft draft = {0};
    const struct node *stuck;
    enum status st;

    *out = NULL;
    if (!k)
        return ir_nomem(err);
    k->set = *set;
    if ((st = gl_generate(&how, g, part, &tried, &draft, &stuck, err)))
        arena_free(&draft.arena);
    else
        st = take_draft(k, &draft, err);
    arena_free(&tried.arena);
    if (st)
        gl_compiled_free(k);
    else
        *out = k;
    return st;
}

enum status gl_prepare(struct gl_compiled *k, struct err *err)
{
    enum status st;

    if ((st = build_programs(k, err)) || (st = place(k, k->n_values, err)) || (st = gl_make_buffers(k, err)) ||
        (st = gl_make_images(k, err)))
        return st;
    gl_plan_barriers(k->dispatches, k->n_dispatches, &k->memory.barriers);
    k->memory.dispatches = k->n_dispatches;
    return ST_OK;
}

void gl_compiled_free(struct gl_compiled *k)
{
    bool current = k && eglGetCurrentContext() == k->set.context->context && !k->set.context->stuck;

    if (!k)
        return;
    if (current) {
        if (k->queries)
            glDeleteQueriesEXT((GLsizei)k->n_dispatches, k->queries);
        for (uint32_t i = 0; i < k->n_views; i++)
            glDeleteTextures(1, &k->views[i].range.image);
        glDeleteBuffers(1, &k->buffers[GL_STORE_CONSTANTS]);
        glDeleteBuffers(1, &k->buffers[GL_STORE_NUMBERS]);
        if (k->joined)
            gl_shared_leave(k->set.shared);
        glUseProgram(0); /* the one in use would stay */
    }
    gl_programs_release(current ? &k->set.context->programs : NULL, &k->programs);
    arena_free(&k->arena);
    free(k);
}
