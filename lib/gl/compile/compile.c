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

/* NULL: out of memory. */
static struct gl_plan **new_plans(uint32_t n)
{
    return calloc((size_t)n + 1, sizeof(struct gl_plan *));
}

static void free_plans(struct gl_plan **plans, uint32_t n)
{
    for (uint32_t i = 0; i < n && plans; i++)
        free(plans[i]);
    free(plans);
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

enum status gl_prepare(const struct gl_run_settings *set, struct gl_draft *const *drafts, uint32_t n, struct gl_executable **out,
                       struct err *err)
{
    struct gl_plan **plans = new_plans(n);
    enum status st = plans ? make_plans(drafts, n, &set->context->limits, set->loops > 1, plans, err) : ir_nomem(err);

    memset(out, 0, n * sizeof *out);
    for (uint32_t i = 0; i < n && !st; i++) {
        const struct gl_constants constants = {write_constants, drafts[i]};

        if (drafts[i]->keeps_packed)
            drafts[i]->packed = calloc(1, drafts[i]->bytes[GL_STORE_CONSTANTS] + 1);
        st = gl_executable_new(set, drafts[i]->graph, drafts[i]->part, plans[i], &drafts[i]->programs, &constants, &out[i], err);
        plans[i] = NULL;
    }
    free_plans(plans, n);
    return st;
}

/* ---- without a driver ---- */

/* Its programs are never built. */
static enum status add_texts(struct gl_programs *all, struct gl_draft *d, const struct gl_seeing *see, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < d->n_dispatches && !st; i++) {
        if (see && see->shader)
            see->shader(see->arg, d->dispatches[i].label, d->dispatches[i].shader.text);
        st = gl_programs_add(all, &d->programs, d->dispatches[i].shader.text, d->dispatches[i].label, &d->dispatches[i].program,
                             err);
    }
    return st;
}

static enum status generate_one(const struct gl_settings *set, const struct graph *g, const struct partition *part,
                                const struct gl_seeing *see, struct gl_draft **out, struct err *err)
{
    const struct gl_recipe how = gl_recipe_of(set);
    struct gl_tried tried = {0};
    const struct node *stuck;
    enum status st;

    if (!(*out = calloc(1, sizeof **out)))
        return ir_nomem(err);
    if (!(st = gl_generate(&how, g, part, &tried, *out, &stuck, err)))
        st = add_texts(&set->run.context->programs, *out, see, err);
    arena_free(&tried.arena);
    return st;
}

static enum status plan_dry(struct gl_draft *const *drafts, uint32_t n, const struct gl_limits *lim, bool repeated, struct err *err)
{
    struct gl_plan **plans = new_plans(n);
    enum status st = plans ? make_plans(drafts, n, lim, repeated, plans, err) : ir_nomem(err);

    if (!st && !gl_plans_agree((const struct gl_plan *const *)plans, n, lim))
        st = err_set(err, ST_BAD_MODEL, "plans of %u partitions do not go together", n);
    free_plans(plans, n);
    return st;
}

enum status gl_compile_dry(const struct gl_settings *set, const struct gl_limits *lim, const struct graph *g,
                           const struct partition *parts, uint32_t n, const struct gl_seeing *see, struct err *err)
{
    struct gl_draft **drafts = calloc((size_t)n + 1, sizeof *drafts);
    struct gl_context *nowhere = calloc(1, sizeof *nowhere);
    struct gl_settings dry = *set;
    enum status st = drafts && nowhere ? ST_OK : ir_nomem(err);

    dry.run.context = nowhere;
    if (nowhere)
        nowhere->limits = *lim;
    for (uint32_t i = 0; i < n && !st; i++)
        st = generate_one(&dry, g, &parts[i], see, &drafts[i], err);
    if (!st && n)
        st = plan_dry(drafts, n, lim, set->run.loops > 1, err);
    for (uint32_t i = 0; i < n && drafts; i++)
        gl_draft_free(NULL, drafts[i]);
    if (nowhere)
        gl_programs_fini(&nowhere->programs);
    free(nowhere);
    free(drafts);
    return st;
}
