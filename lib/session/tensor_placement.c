/* SPDX-License-Identifier: Apache-2.0 */
/* tensor_placement.c - see tensor_placement.h */
#include "lib/session/tensor_placement.h"

#include "lib/session/session_impl.h"

#include <stdlib.h>

/* Who wants to see each tensor in host memory gets it there. */
static struct delegate *keeper(const struct session *s)
{
    if (s->opt.keep_intermediates || s->opt.after_node || s->opt.precision == SESSION_FP16)
        return NULL;
    for (uint32_t i = 0; s->opt.delegates[i]; i++)
        if (s->opt.delegates[i]->ops->buffer_copy)
            return s->opt.delegates[i];
    return NULL;
}

/* Of each tensor: who makes or reads it, and how many of these are nodes that call. */
struct uses {
    uint32_t *all, *calls; /* [graph tensors] */
};

static void use(struct tensor_placement *p, struct uses *u, struct tensor *const *t, uint32_t n, bool possible, bool calls)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!t[i])
            continue;
        u->all[t[i]->index]++;
        u->calls[t[i]->index] += calls;
        if (!possible)
            p->possible[t[i]->index] = false;
    }
}

static void see_step(struct session *s, const struct step *step, struct uses *u)
{
    const struct node *n = step->call.node;
    struct tensor_placement *p = &s->placement;

    if (step->kernel) {
        const struct partition *part = step->part;
        const bool possible = part->delegate == p->delegate && step->kernel->ops->bind;

        use(p, u, part->inputs, part->n_inputs, possible, false);
        use(p, u, part->outputs, part->n_outputs, possible, false);
    } else {
        const bool calls = session_asks_about_calls(s, n);
        const uint32_t first = calls ? node_first_call_input(n) : 0;

        use(p, u, n->in, first, false, false);
        use(p, u, n->in + first, n->n_in - first, calls, calls);
        use(p, u, n->out, n->n_out, calls, calls);
    }
}

static bool is_plain(const struct tensor *t)
{
    return t->bytes && type_bits(t->type) && t->type != TYPE_RESOURCE && !t->is_const && !t->is_variable && !t->is_resource &&
           !t->is_dynamic;
}

static enum status new_buffer(struct session *s, const struct tensor *t, bool spare, uint32_t *id, struct err *err)
{
    struct tensor_placement *p = &s->placement;
    struct placement_buffer *more = realloc(p->buffers, (p->n_buffers + 1) * sizeof *more);
    enum status st;

    if (!more)
        return err_set(err, ST_NOMEM, "out of memory");
    p->buffers = more;
    if ((st = p->delegate->ops->buffer_new(p->delegate, delegate_dense_bytes(t), id, err)))
        return st;
    p->buffers[p->n_buffers++] = (struct placement_buffer){*id, delegate_dense_bytes(t), spare};
    return ST_OK;
}

/* An input that is there twice has two contents, of which the last one counts. */
static void rule_out_twins(struct session *s)
{
    const struct graph *g = s->graph;

    for (uint32_t i = 1; i < g->n_inputs; i++)
        if (g->inputs[i] && tensor_is_among(g->inputs[i], g->inputs, i))
            s->placement.possible[g->inputs[i]->index] = false;
}

enum status placement_find(struct session *s, struct err *err)
{
    const struct graph *g = s->graph;
    struct tensor_placement *p = &s->placement;
    struct arena *a = &s->plan.arena;
    struct uses u = {ARENA_ARRAY(a, g->n_tensors, uint32_t), ARENA_ARRAY(a, g->n_tensors, uint32_t)};
    enum status st = ST_OK;

    p->possible = ARENA_ARRAY(a, g->n_tensors, bool);
    p->unread = ARENA_ARRAY(a, g->n_tensors, bool);
    p->at = ARENA_ARRAY(a, g->n_tensors, uint32_t);
    if (!u.all || !u.calls || !p->possible || !p->unread || !p->at)
        return err_set(err, ST_NOMEM, "out of memory for %u tensors", g->n_tensors);
    if (!(p->delegate = keeper(s)))
        return ST_OK;
    for (uint32_t i = 0; i < g->n_tensors; i++)
        p->possible[i] = is_plain(&g->tensors[i]);
    for (uint32_t i = 0; i < s->plan.n_steps; i++)
        see_step(s, &s->plan.steps[i], &u);
    rule_out_twins(s);
    for (uint32_t i = 0; i < g->n_tensors && !st; i++) {
        const struct tensor *t = &g->tensors[i];
        uint32_t id;

        if (!p->possible[i] || !u.calls[i] || tensor_is_among(t, g->inputs, g->n_inputs) ||
            tensor_is_among(t, g->outputs, g->n_outputs))
            continue;
        p->unread[i] = u.all[i] == 1;
        if (!p->unread[i] && !(st = new_buffer(s, t, false, &id, err)))
            st = placement_set(s, t, id, err);
    }
    return st;
}

static enum status bind(struct session *s, const struct tensor *t, const struct delegate_buffer *b, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < s->plan.n_steps && !st; i++) {
        struct delegate_kernel *k = s->plan.steps[i].kernel;
        const struct partition *part = s->plan.steps[i].part;

        if (k && tensor_is_among(t, part->inputs, part->n_inputs))
            st = k->ops->bind(k, t, false, b, err);
        if (k && !st && tensor_is_among(t, part->outputs, part->n_outputs))
            st = k->ops->bind(k, t, true, b, err);
    }
    return st;
}

enum status placement_set(struct session *s, const struct tensor *t, uint32_t buffer, struct err *err)
{
    const struct delegate_buffer b = {.id = buffer, .bytes = delegate_dense_bytes(t), .layout = DELEGATE_DENSE};
    enum status st;

    if (placement_of(s, t) == buffer)
        return ST_OK;
    st = bind(s, t, buffer ? &b : NULL, err);
    if (st)
        (void)bind(s, t, NULL, NULL); /* taking it away does not fail */
    s->placement.at[t->index] = st ? 0 : buffer;
    return st;
}

uint32_t placement_of(const struct session *s, const struct tensor *t)
{
    return s->placement.delegate ? s->placement.at[t->index] : 0;
}

bool placement_possible(const struct session *s, const struct tensor *t)
{
    return s->placement.delegate && s->placement.possible[t->index];
}

bool placement_unread(const struct session *s, const struct tensor *t)
{
    return s->placement.delegate && s->placement.unread[t->index];
}

struct output_origin output_origin(const struct graph *g, uint32_t k)
{
    uint32_t i = 0;

    for (uint32_t j = 0; j < g->n_inputs; j++)
        if (g->inputs[j] == g->outputs[k])
            return (struct output_origin){true, j};
    while (g->outputs[i] != g->outputs[k])
        i++;
    return (struct output_origin){false, i};
}

bool output_is_made(const struct graph *g, uint32_t k)
{
    const struct output_origin o = output_origin(g, k);

    return !o.is_input && o.i == k;
}

enum status placement_spare(struct session *s, const struct tensor *t, const uint32_t *used, uint32_t n, uint32_t *id,
                            struct err *err)
{
    const struct tensor_placement *p = &s->placement;

    for (uint32_t i = 0; i < p->n_buffers; i++) {
        bool taken = !p->buffers[i].spare || p->buffers[i].bytes != delegate_dense_bytes(t);

        for (uint32_t k = 0; k < n && !taken; k++)
            taken = used[k] == p->buffers[i].id;
        if (taken)
            continue;
        *id = p->buffers[i].id;
        return ST_OK;
    }
    return new_buffer(s, t, true, id, err);
}

void placement_free(struct tensor_placement *p)
{
    for (uint32_t i = 0; i < p->n_buffers; i++)
        p->delegate->ops->buffer_free(p->delegate, p->buffers[i].id);
    free(p->buffers);
    *p = (struct tensor_placement){0};
}
