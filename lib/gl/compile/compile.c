/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - from a partition to dispatches. */
#include "lib/gl/plan/compiled.h"

#include <stdlib.h>
#include <string.h>

#include "lib/gl/cache/cache_entries.h"
#include "lib/gl/compile/fallback.h"
#include "lib/gl/tune/tune.h"

/* Of one partition, and nothing made yet. NULL: out of memory. */
static struct gl_compiled *new_compiled(const struct gl_settings *set, const struct graph *g, const struct partition *part)
{
    struct gl_compiled *k = calloc(1, sizeof *k);

    if (!k)
        return NULL;
    k->set = *set;
    k->graph = g;
    k->part = part;
    return k;
}

static enum status build(struct gl_compiled *k, struct reason *refused, struct err *err)
{
    enum status st = gl_build(&k->set, k->graph, k->part, &k->draft, &k->programs, refused, err);

    k->variants = k->draft.variants;
    k->apart = k->draft.apart;
    k->memory.programs = k->programs.first;
    k->memory.nodes_lowered = k->part->n_nodes;
    return st;
}

enum status gl_compile(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct reason *refused,
                       struct gl_compiled **out, struct err *err)
{
    struct gl_compiled *k = new_compiled(set, g, part);
    enum status st;

    *out = NULL;
    if (!k)
        return ir_nomem(err);
    if ((st = build(k, refused, err)))
        gl_compiled_free(k);
    else
        *out = k;
    return st;
}

/* What a run does not need: ir, texts, what packers read, the stored start. */
static void forget(struct gl_compiled *k)
{
    arena_free(&k->draft.arena);
    k->draft = (struct gl_draft){0};
    store_close(&k->entry);
    free(k->packed);
    k->packed = NULL;
    free(k->tuning);
    k->tuning = NULL;
}

/* What its ranges, placed, allow to make. */
static enum status make_plan(struct gl_compiled *k, const struct gl_limits *lim, struct err *err)
{
    struct delegate_memory *m = &k->memory;
    struct gl_draft *d = &k->draft;
    enum status st = gl_place_uniforms(d, lim->uniform_align, err);

    if (st)
        return st;
    gl_plan_barriers(d->dispatches, d->n_dispatches);
    st = gl_plan_make(d, &k->programs, &k->plan, err);
    if (st)
        return st;
    m->packed_bytes = d->bytes[GL_STORE_CONSTANTS];
    m->dispatches = d->n_dispatches;
    m->barriers = k->plan->barriers;
    m->constants = d->bytes[GL_STORE_CONSTANTS] + d->bytes[GL_STORE_UNIFORMS] + gl_plan_copy_bytes(k->plan);
    memcpy(m->weights, d->weights, sizeof m->weights);
    return gl_plan_fits(k->plan, lim, err);
}

static enum status make_plans(struct gl_compiled *const *ks, uint32_t n, struct err *err)
{
    const struct gl_settings *set = &ks[0]->set;
    const struct gl_limits *lim = &set->context->limits;
    struct gl_draft **drafts = calloc(n, sizeof *drafts);
    enum status st = drafts ? ST_OK : ir_nomem(err);

    for (uint32_t i = 0; i < n && !st; i++)
        drafts[i] = &ks[i]->draft;
    if (!st && !(st = gl_keep_on_gpu(drafts, n, err)))
        st = gl_place(drafts, n, lim, set->loops > 1, err);
    for (uint32_t i = 0; i < n && !st; i++)
        st = make_plan(ks[i], lim, err);
    free(drafts);
    if (st)
        return st;
    ks[0]->memory.textures = ks[0]->draft.n_textures;
    ks[0]->memory.texture_bytes = ks[0]->draft.texture_bytes;
    ks[0]->memory.intermediates = ks[0]->draft.bytes[GL_STORE_VALUES] + ks[0]->draft.texture_bytes;
    ks[0]->memory.lower_bound = ks[0]->draft.lower_bound;
    ks[0]->memory.unshared = ks[0]->draft.unshared;
    gl_staging_count(ks, n);
    return ST_OK;
}

/* In place of what was restored. That there is a plan of it shows that the driver takes it. */
static enum status compile_again(struct gl_compiled *k, struct err *err)
{
    struct reason *refused = calloc(k->graph->n_nodes + 1, sizeof *refused);
    struct gl_tuned tuned = {0};
    enum status st = refused ? ST_OK : ir_nomem(err);

    gl_programs_release(&k->set.context->programs, &k->programs);
    free(k->plan);
    k->plan = NULL;
    forget(k);
    k->memory = (struct delegate_memory){0};
    if (!st && k->set.tuning)
        st = gl_tune(&k->set, k->graph, k->part, &tuned, err);
    k->set.picks = tuned.nodes ? tuned.picks : NULL;
    if (!st)
        st = build(k, refused, err);
    for (uint32_t i = 0; !st && i < k->graph->n_nodes; i++)
        if (refused[k->graph->nodes[i].index].code)
            st = node_err(&k->graph->nodes[i], err_set(err, ST_FAILED, "%s", refused[k->graph->nodes[i].index].text), err);
    free(refused);
    gl_tuned_tell(&tuned, k);
    k->set.picks = NULL;
    gl_tuned_free(k->set.context, &tuned);
    return st;
}

/* Partitions share memory: either all of them are as they were stored together, or none. */
static enum status agree_on_restored(struct gl_compiled *const *ks, uint32_t n, bool *restored, struct err *err)
{
    enum status st = ST_OK;

    *restored = gl_restored_together(ks, n);
    for (uint32_t i = 0; i < n && !st && !*restored; i++)
        if (ks[i]->plan)
            st = compile_again(ks[i], err);
    return st;
}

/* What was waited for programs that nobody had built before. */
static void add_waiting(struct gl_compiled *k)
{
    for (uint32_t i = 0; i < k->programs.n; i++) {
        const struct gl_program *p = k->programs.list[i];

        if (p->builder == &k->programs && p->loaded)
            k->memory.load_ns += p->ns;
    }
    k->memory.compile_ns = k->programs.build_ns;
}

/* Deletes what gl_prepare made in GL; the context is current. */
static void drop_objects(struct gl_compiled *k)
{
    if (k->images)
        glDeleteTextures((GLsizei)gl_plan_n(k->plan, GL_PLAN_VIEWS), k->images);
    glDeleteBuffers(1, &k->buffers[GL_STORE_CONSTANTS]);
    glDeleteBuffers(1, &k->buffers[GL_STORE_UNIFORMS]);
    glDeleteBuffers(1, &k->buffers[GL_STORE_STATE]);
    if (k->arrays)
        gl_shared_give_back(k->set.shared, k->arrays, gl_plan_n(k->plan, GL_PLAN_TEXTURES));
    if (k->joined)
        gl_shared_leave(k->set.shared);
    k->buffers[GL_STORE_CONSTANTS] = k->buffers[GL_STORE_UNIFORMS] = k->buffers[GL_STORE_STATE] = 0;
    k->joined = false;
    free(k->images);
    free(k->arrays);
    k->images = k->arrays = NULL;
}

static enum status make_objects(struct gl_compiled *const *ks, uint32_t n, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < n && !st; i++)
        if (!(st = gl_make_buffers(ks[i], err)) && !(st = gl_get_textures(ks[i], err)))
            st = gl_make_images(ks[i], err);
    return st;
}

bool gl_compiled_agree(struct gl_compiled *const *ks, uint32_t n)
{
    const struct gl_plan **plans = calloc(n, sizeof *plans);
    bool good;

    for (uint32_t i = 0; i < n && plans; i++)
        plans[i] = ks[i]->plan;
    good = plans && gl_plans_agree(plans, n, &ks[0]->set.context->limits);
    free(plans);
    return good;
}

/* From what was stored; *good is false where all of it is to be compiled again, and was told. */
static enum status prepare_restored(struct gl_compiled *const *ks, uint32_t n, bool *good, struct err *err)
{
    struct err why = {""}, said;
    enum status st = ST_OK;

    gl_restored_memory(ks, n);
    if ((*good = !make_objects(ks, n, &why)))
        return ST_OK;
    err_set(&said, ST_FAILED, "what was stored cannot be set up: %.200s; it is made anew", why.msg);
    gl_cache_tell(ks[0]->set.stored, GL_CACHE_REFUSED, said.msg);
    for (uint32_t i = 0; i < n; i++)
        drop_objects(ks[i]);
    for (uint32_t i = 0; i < n && !st; i++)
        st = compile_again(ks[i], err);
    return st;
}

static enum status prepare_compiled(struct gl_compiled *const *ks, uint32_t n, struct err *err)
{
    const bool stored = gl_cache_on(ks[0]->set.stored, ks[0]->graph);
    enum status st = make_plans(ks, n, err);

    for (uint32_t i = 0; i < n && !st && stored; i++)
        ks[i]->packed = calloc(1, ks[i]->plan->store_bytes[GL_STORE_CONSTANTS] + 1); /* without it nothing is stored */
    if (!st)
        st = make_objects(ks, n, err);
    if (!st && stored)
        gl_keep(ks, n);
    return st;
}

enum status gl_prepare(struct gl_compiled *const *ks, uint32_t n, struct err *err)
{
    bool restored;
    enum status st = agree_on_restored(ks, n, &restored, err);

    if (!st && restored)
        st = prepare_restored(ks, n, &restored, err);
    if (!st && !restored)
        st = prepare_compiled(ks, n, err);
    for (uint32_t i = 0; i < n && !st; i++) {
        ks[i]->memory.programs_compiled += ks[i]->programs.compiled; /* beside those of trials */
        ks[i]->memory.programs_loaded = ks[i]->programs.loaded;
        add_waiting(ks[i]);
        if (ks[i]->memory.tuning_ns)
            ks[i]->memory.programs += gl_programs_adopt(&ks[i]->programs); /* by trials, whose time is not that of compiling */
        forget(ks[i]);
    }
    return st;
}

/* ---- without a driver ---- */

/* Its programs are never built. */
static enum status add_texts(struct gl_compiled *k, const struct gl_seeing *see, struct err *err)
{
    struct gl_draft *d = &k->draft;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < d->n_dispatches && !st; i++) {
        if (see && see->shader)
            see->shader(see->arg, d->dispatches[i].label, d->dispatches[i].shader.text);
        st = gl_programs_add(&k->set.context->programs, &k->programs, d->dispatches[i].shader.text, d->dispatches[i].label,
                             &d->dispatches[i].program, err);
    }
    return st;
}

static enum status generate_one(const struct gl_settings *set, const struct graph *g, const struct partition *part,
                                const struct gl_seeing *see, struct gl_compiled **out, struct err *err)
{
    const struct gl_recipe how = gl_recipe_of(set);
    struct gl_tried tried = {0};
    struct gl_compiled *k = *out = new_compiled(set, g, part);
    const struct node *stuck;
    enum status st;

    if (!k)
        return ir_nomem(err);
    st = gl_generate(&how, g, part, &tried, &k->draft, &stuck, err);
    if (!st)
        st = add_texts(k, see, err);
    arena_free(&tried.arena);
    return st;
}

static enum status plans_agree(struct gl_compiled *const *ks, uint32_t n, struct err *err)
{
    return gl_compiled_agree(ks, n) ? ST_OK : err_set(err, ST_BAD_MODEL, "plans of %u partitions do not go together", n);
}

static void free_compiled(struct gl_compiled *k)
{
    if (!k)
        return;
    forget(k);
    arena_free(&k->arena);
    free(k->images);
    free(k->arrays);
    free(k->users);
    free(k->user_of);
    free(k->plan);
    free(k);
}

enum status gl_compile_dry(const struct gl_settings *set, const struct gl_limits *lim, const struct graph *g,
                           const struct partition *parts, uint32_t n, const struct gl_seeing *see, struct err *err)
{
    struct gl_compiled **ks = calloc((size_t)n + 1, sizeof *ks);
    struct gl_context *nowhere = calloc(1, sizeof *nowhere);
    struct gl_settings dry = *set;
    enum status st = ks && nowhere ? ST_OK : ir_nomem(err);

    dry.context = nowhere;
    if (nowhere)
        nowhere->limits = *lim;
    for (uint32_t i = 0; i < n && !st; i++)
        st = generate_one(&dry, g, &parts[i], see, &ks[i], err);
    if (!st && n && !(st = make_plans(ks, n, err)))
        st = plans_agree(ks, n, err);
    for (uint32_t i = 0; i < n && ks; i++) {
        if (ks[i])
            gl_programs_release(NULL, &ks[i]->programs);
        free_compiled(ks[i]);
    }
    if (nowhere)
        gl_programs_fini(&nowhere->programs);
    free(nowhere);
    free(ks);
    return st;
}

/* ---- the end ---- */

void gl_compiled_free(struct gl_compiled *k)
{
    bool current = k && eglGetCurrentContext() == k->set.context->context && !k->set.context->stuck;

    if (!k)
        return;
    if (current) {
        if (k->queries && k->queries_of == k->set.context->context)
            glDeleteQueriesEXT((GLsizei)gl_plan_n(k->plan, GL_PLAN_DISPATCHES), k->queries);
        gl_drop_users(k);
        drop_objects(k);
        glUseProgram(0); /* the one in use would stay */
    }
    gl_programs_release(current ? &k->set.context->programs : NULL, &k->programs);
    free_compiled(k);
}
