/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - the steps from partitions to executables, and the same without a driver. */
#include "lib/gl/compile/compile.h"

#include <stdlib.h>
#include <string.h>

#include "lib/gl/compile/fallback.h"

enum status gl_compile(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct reason *refused,
                       struct gl_draft **out, struct err *err)
{
    struct gl_draft *draft = *out = calloc(1, sizeof *draft);
    enum status st = draft ? gl_build(set, g, part, draft, refused, err) : ir_nomem(err);

    if (st) {
        gl_draft_free(set->run.context, draft);
        *out = NULL;
    }
    return st;
}

void gl_draft_free(struct gl_context *c, struct gl_draft *draft)
{
    if (!draft)
        return;
    gl_programs_release(c && gl_context_is_current(c) ? &c->programs : NULL, &draft->programs);
    arena_free(&draft->arena);
    free(draft->tuning);
    free(draft->packed);
    free(draft);
}

/* ---- plans ---- */

static enum status make_plan(struct gl_draft *draft, const struct gl_limits *lim, struct gl_plan **out, struct err *err)
{
    enum status st = gl_place_uniforms(draft, lim->uniform_align, err);

    if (st)
        return st;
    gl_plan_barriers(draft->dispatches, draft->n_dispatches);
    st = gl_plan_make(draft, out, err);
    return st ? st : gl_plan_fits(*out, lim, err);
}

static enum status make_plans(struct gl_draft *const *drafts, uint32_t n, const struct gl_limits *lim, bool repeated,
                              struct gl_plan **plans, struct err *err)
{
    enum status st = gl_keep_on_gpu(drafts, n, err);

    if (!st)
        st = gl_place(drafts, n, lim, repeated, err);
    for (uint32_t i = 0; i < n && !st; i++)
        st = make_plan(drafts[i], lim, &plans[i], err);
    return st;
}

/* ---- executables ---- */

/* Where they are to be kept, by way of a copy: mapped memory may be slow to read. */
static enum status write_constants(void *arg, char *to, struct err *err)
{
    struct gl_draft *draft = arg;
    enum status st;

    if (!draft->packed)
        return gl_pack_constants(draft, to, err);
    if (!(st = gl_pack_constants(draft, draft->packed, err)))
        memcpy(to, draft->packed, draft->bytes[GL_STORE_CONSTANTS]);
    return st;
}

enum status gl_make_plans(const struct gl_run_settings *set, struct gl_draft *const *drafts, uint32_t n, struct gl_plan **plans,
                          struct err *err)
{
    memset(plans, 0, n * sizeof *plans);
    return make_plans(drafts, n, &set->context->limits, set->loops > 1, plans, err);
}

enum status gl_load_plans(const struct gl_run_settings *set, struct gl_draft *const *drafts, uint32_t n, struct gl_plan **plans,
                          struct gl_executable **out, struct err *err)
{
    enum status st = ST_OK;

    memset(out, 0, n * sizeof *out);
    for (uint32_t i = 0; i < n && !st; i++) {
        struct gl_draft *d = drafts[i];
        const struct gl_loading from = {d->graph, d->part, plans[i], &d->programs, write_constants, d};

        if (d->keeps_packed)
            d->packed = calloc(1, d->bytes[GL_STORE_CONSTANTS] + 1);
        st = gl_executable_new(set, &from, &out[i], err);
        plans[i] = NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        free(plans[i]);
        plans[i] = NULL;
    }
    return st;
}

/* ---- without a driver ---- */

/* Programs are never built. */
static enum status generate_one(const struct gl_recipe *how, struct gl_programs *all, const struct gl_seeing *see,
                                struct gl_draft *draft, struct err *err)
{
    struct gl_tried tried = {0};
    const struct node *stuck;
    enum status st = gl_generate(how, draft->graph, draft->part, &tried, draft, &stuck, err);

    for (uint32_t i = 0; i < draft->n_dispatches && !st; i++) {
        struct gl_dispatch *d = &draft->dispatches[i];

        if (see && see->shader)
            see->shader(see->arg, d->label, d->shader.text);
        st = gl_programs_add(all, &draft->programs, d->shader.text, d->label, &d->program, err);
    }
    arena_free(&tried.arena);
    return st;
}

enum status gl_compile_dry(const struct gl_recipe *how, bool repeated, const struct graph *g, const struct partition *parts,
                           uint32_t n, const struct gl_seeing *see, struct err *err)
{
    struct gl_draft **drafts = calloc((size_t)n + 1, sizeof *drafts);
    struct gl_plan **plans = calloc((size_t)n + 1, sizeof *plans);
    struct gl_programs all = {0};
    enum status st = drafts && plans ? ST_OK : ir_nomem(err);

    for (uint32_t i = 0; i < n && !st; i++)
        if (!(drafts[i] = calloc(1, sizeof **drafts)))
            st = ir_nomem(err);
        else {
            *drafts[i] = (struct gl_draft){.graph = g, .part = &parts[i]};
            st = generate_one(how, &all, see, drafts[i], err);
        }
    if (!st && n && !(st = make_plans(drafts, n, how->limits, repeated, plans, err)) &&
        !gl_plans_agree((const struct gl_plan *const *)plans, n, how->limits))
        st = err_set(err, ST_BAD_MODEL, "plans of %u partitions do not go together", n);
    for (uint32_t i = 0; i < n; i++) {
        if (drafts)
            gl_draft_free(NULL, drafts[i]);
        if (plans)
            free(plans[i]);
    }
    gl_programs_fini(&all);
    free(plans);
    free(drafts);
    return st;
}
