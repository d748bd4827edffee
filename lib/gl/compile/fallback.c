/* SPDX-License-Identifier: Apache-2.0 */
/* fallback.c - generate, build, and again without what was refused. */
#include "lib/gl/compile/fallback.h"

#include "lib/gl/device/program_build.h"

struct build {
    const struct gl_settings *how;
    const struct graph *g;
    const struct partition *part;
    struct reason *refused; /* [graph nodes] */
    struct gl_tried tried;
    const struct node *stuck;
    char why[256]; /* the driver's last words */
};

/* Only now the set that was before is released, so that what the driver took is not compiled again. */
static enum status add_programs(const struct build *b, struct gl_draft *d, struct err *err)
{
    struct gl_programs *all = &b->how->run.context->programs;
    struct gl_program_set *set = &d->programs;
    struct gl_program_set old = *set;
    enum status st = ST_OK;

    *set = (struct gl_program_set){.compiled = old.compiled, .build_ns = old.build_ns};
    for (uint32_t i = 0; i < d->n_dispatches && !st; i++)
        st = gl_programs_add(all, set, d->dispatches[i].shader.text, d->dispatches[i].label, &d->dispatches[i].program, err);
    gl_programs_release(all, &old);
    set->first = 0;
    for (uint32_t i = 0; i < set->n; i++)
        set->first += set->list[i]->users == 1;
    return st;
}

static bool is_refused(const struct gl_program_set *set)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (set->list[i]->refusal)
            return true;
    return false;
}

static void refuse_node(struct build *b, const struct node *n)
{
    reason_set(&b->refused[n->index], REASON_DRIVER, "%s", b->why);
    if (!b->how->is_trial)
        delegate_warn(b->part->delegate, "node %u %s runs on the CPU: the driver refuses all that could compute it", n->index,
                      n->name);
}

static void refuse_all(struct build *b)
{
    for (uint32_t i = 0; i < b->part->n_nodes; i++)
        refuse_node(b, b->part->nodes[i]);
}

/* Notes what the refused programs were to compute. False: a transfer, for which there is nothing else. */
static bool note_refusals(struct build *b, const struct gl_draft *d, struct err *err, enum status *st)
{
    for (uint32_t i = 0; i < d->n_dispatches && !*st; i++) {
        const struct ir_op *op = d->dispatches[i].shader.op;
        const char *refusal = d->programs.list[d->dispatches[i].program]->refusal;
        bool more;

        if (!refusal)
            continue;
        snprintf(b->why, sizeof b->why, "%s", refusal);
        if (!op || !op->n_nodes)
            return false;
        *st = gl_tried_variant(&b->tried, b->g, op, op->variant, &more, err);
    }
    return true;
}

static void warn(const struct build *b, const struct gl_program_set *set)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (set->list[i]->refusal && !set->list[i]->told) {
            set->list[i]->told = true;
            delegate_warn(b->part->delegate, "%s; something else is tried", set->list[i]->refusal);
        }
}

/* One round; *again: the driver refused something that can be replaced. */
static enum status try_once(struct build *b, struct gl_draft *d, bool *again, struct err *err)
{
    struct gl_context *c = b->how->run.context;
    const struct gl_building building = {c, &c->programs.helpers, c->parallel_compile, gl_cache_on(b->how->stored, b->g),
                                         b->how->dump_dir};
    enum status st = gl_generate(&b->how->recipe, b->g, b->part, &b->tried, d, &b->stuck, err);

    *again = false;
    if (st == ST_UNSUPPORTED && b->why[0] && b->stuck) {
        refuse_node(b, b->stuck);
        return ST_OK;
    }
    if (st || (st = add_programs(b, d, err)))
        return st;
    st = gl_programs_build(&d->programs, &building, err);
    if (st != ST_FAILED || !is_refused(&d->programs))
        return st ? st : gl_context_check(c, "compiling shaders", err);
    warn(b, &d->programs);
    st = ST_OK;
    *again = note_refusals(b, d, err, &st);
    if (!*again)
        refuse_all(b);
    return st;
}

enum status gl_build(const struct gl_settings *how, const struct graph *g, const struct partition *part, struct gl_draft *out,
                     struct reason *refused, struct err *err)
{
    struct build b = {.how = how, .g = g, .part = part, .refused = refused};
    bool again = true;
    enum status st = ST_OK;

    while (again && !st)
        st = try_once(&b, out, &again, err);
    for (uint32_t i = 0; i < g->n_nodes && b.tried.apart; i++)
        out->apart += b.tried.apart[i];
    arena_free(&b.tried.arena);
    return st;
}
