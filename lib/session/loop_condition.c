/* SPDX-License-Identifier: Apache-2.0 */
/* loop_condition.c - see loop_condition.h: the nodes that counters are made by, as graphs of their own on the CPU. */
#include "lib/session/loop_condition.h"

#include "lib/graph/control_flow.h"
#include "lib/graph/graph_part.h"
#include "lib/session/session_impl.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 64, MOST_BYTES = 1024 }; /* of each of both graphs, of a value: more is not for beside */

struct loop_condition {
    uint32_t cond_index;           /* subgraph */
    uint32_t n;                    /* loop values */
    struct session *cond, *step;   /* the parts */
    bool *needs;                   /* [n] */
    uint32_t *of_cond, *of_step;   /* [n] the part's input that is value i; NONE: it reads none */
    struct output_origin *made_as; /* [n] value i after a round: value .i before, or output .i of `step` */
    void **value, **next;          /* [n] content of counters */
    size_t *bytes;                 /* [n] */
    struct arena arena;
};
#define NONE UINT32_MAX

/* ---- which nodes ---- */

/* What counters are computed from, in one graph. */
struct slice {
    const struct graph *g;
    bool *wanted; /* [tensors] */
    bool *within; /* [nodes] */
    uint32_t n_nodes;
};

static bool slice_init(struct slice *s, const struct graph *g, struct arena *a)
{
    *s = (struct slice){g, ARENA_ARRAY(a, g->n_tensors, bool), ARENA_ARRAY(a, g->n_nodes, bool), 0};
    return s->wanted && s->within;
}

/* Computed with the same bits by whoever does. What keeps state is not made of such alone: random numbers are floats or drawn by
 * floats, and variables and tables are resources. */
static bool is_exact(const struct tensor *t)
{
    const uint32_t exact = 1u << TYPE_BOOL | 1u << TYPE_INT8 | 1u << TYPE_UINT8 | 1u << TYPE_INT16 | 1u << TYPE_INT32 |
                           1u << TYPE_UINT32 | 1u << TYPE_INT64;

    return t && exact >> t->type & 1 && !t->quant.n && !t->is_variable && !t->is_dynamic && (t->is_const || t->bytes <= MOST_BYTES);
}

static bool all_exact(struct tensor *const *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (t[i] && !is_exact(t[i]))
            return false;
    return true;
}

static bool makes_wanted(const struct slice *s, const struct node *n)
{
    for (uint32_t k = 0; k < n->n_out; k++)
        if (n->out[k] && s->wanted[n->out[k]->index])
            return true;
    return false;
}

/* Takes all that makes what is wanted into the slice. False: it is not for the CPU to do beside. */
static bool grow(struct slice *s)
{
    for (uint32_t i = s->g->n_nodes; i-- > 0;) {
        const struct node *n = &s->g->nodes[i];

        if (n->folded || s->within[i] || !makes_wanted(s, n))
            continue;
        if (!n->op || n->version > n->op->max_version || n->dynamic || node_calls_asked(n) || !all_exact(n->in, n->n_in) ||
            !all_exact(n->out, n->n_out) || ++s->n_nodes > MOST_NODES)
            return false;
        s->within[i] = true;
        for (uint32_t k = 0; k < n->n_in; k++)
            if (n->in[k])
                s->wanted[n->in[k]->index] = true;
    }
    return true;
}

/* It takes the place of the graph: what else that does, as assigning a variable or calling once, would be lost. */
static bool is_whole(const struct slice *s)
{
    for (uint32_t i = 0; i < s->g->n_nodes; i++)
        if (!s->within[i] && (!s->g->nodes[i].folded || !s->g->nodes[i].n_out)) /* CALL_ONCE is folded, but runs */
            return false;
    return true;
}

/* Counters are what the condition reads, and what the body makes these of. */
static bool find_counters(struct loop_condition *a, struct slice *cond, struct slice *body)
{
    bool more = true;

    cond->wanted[cond->g->outputs[0]->index] = true;
    if (!grow(cond) || !is_whole(cond))
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        a->needs[i] = cond->wanted[cond->g->inputs[i]->index];
    while (more) {
        more = false;
        for (uint32_t i = 0; i < a->n; i++)
            if (a->needs[i]) {
                if (!body->g->outputs[i] || !is_exact(body->g->outputs[i]) || !is_exact(body->g->inputs[i]) ||
                    body->g->outputs[i]->bytes != body->g->inputs[i]->bytes)
                    return false;
                body->wanted[body->g->outputs[i]->index] = true;
            }
        if (!grow(body))
            return false;
        for (uint32_t i = 0; i < a->n; i++)
            if (!a->needs[i] && body->wanted[body->g->inputs[i]->index])
                a->needs[i] = more = true;
    }
    return true;
}

/* ---- their graphs ---- */

/* What folded nodes make is known to the part. */
static enum status prepare_part(struct session *part, const struct slice *s, struct tensor **in, uint32_t n_in,
                                struct tensor *const *out, uint32_t n_out, struct arena *scratch, struct err *err)
{
    struct graph *g = part->graph;
    bool *by_folded = ARENA_ARRAY(scratch, g->n_tensors, bool);
    const uint32_t n_values = n_in;
    enum status st;

    if (!by_folded)
        return err_set(err, ST_NOMEM, "out of memory");
    for (uint32_t i = 0; i < s->g->n_nodes; i++)
        for (uint32_t k = 0; s->g->nodes[i].folded && k < s->g->nodes[i].n_out; k++)
            if (s->g->nodes[i].out[k] && s->wanted[s->g->nodes[i].out[k]->index])
                graph_part_add(in, &n_in, s->g->nodes[i].out[k]);
    if ((st = graph_part(g, s->within, in, n_in, out, n_out, DYNAMIC_LEVELS, err)))
        return st;
    for (uint32_t i = 0; i < n_in && !st; i++)
        if (!(st = graph_resize_input(g, i, in[i]->dim, in[i]->rank, err)) && i >= n_values)
            st = graph_part_know(g, i, in[i]->data, err);
    return st ? st : session_prepare(part, err);
}

/* *out: a session of the part of `of` that makes out[n_out]. at[n]: which of its inputs is loop value i. */
static enum status make_part(const struct loop_condition *a, const struct session *of, const struct slice *s,
                             struct tensor *const *out, uint32_t n_out, uint32_t *at, struct session **part, struct err *err)
{
    struct session_options opt = of->opt;
    struct arena scratch = {0};
    struct tensor **in = ARENA_ARRAY(&scratch, (size_t)s->g->n_tensors + 1, struct tensor *);
    uint32_t n_in = 0;
    enum status st = in ? ST_OK : err_set(err, ST_NOMEM, "out of memory");

    for (uint32_t i = 0; i < a->n && !st; i++) {
        at[i] = a->needs[i] && s->wanted[s->g->inputs[i]->index] && !s->g->inputs[i]->is_const ? n_in : NONE;
        if (at[i] != NONE)
            in[n_in++] = s->g->inputs[i];
    }
    memset(opt.delegates, 0, sizeof opt.delegates);
    if (!st && !(st = session_make(of->graph->model, of->graph->subgraph, &opt, of->runtime, part, err)))
        st = prepare_part(*part, s, in, n_in, out, n_out, &scratch, err);
    arena_free(&scratch);
    return st;
}

/* Counters that the body hands on are no outputs of its part. */
static enum status make_step(struct loop_condition *a, const struct session *body, const struct slice *s, struct err *err)
{
    struct tensor **out = ARENA_ARRAY(&a->arena, a->n, struct tensor *);
    uint32_t n_out = 0;

    if (!out)
        return err_set(err, ST_NOMEM, "out of memory");
    for (uint32_t i = 0; i < a->n; i++) {
        if (!a->needs[i])
            continue;
        a->made_as[i] = output_origin(s->g, i);
        if (a->made_as[i].is_input)
            continue;
        a->made_as[i].i = n_out;
        out[n_out++] = s->g->outputs[i];
    }
    return n_out ? make_part(a, body, s, out, n_out, a->of_step, &a->step, err) : ST_OK;
}

static enum status make_room(struct loop_condition *a, const struct graph *g, struct err *err)
{
    bool ok = true;

    for (uint32_t i = 0; i < a->n; i++) {
        a->bytes[i] = g->inputs[i]->bytes;
        if (a->needs[i])
            ok = ok && (a->value[i] = arena_alloc(&a->arena, a->bytes[i] + 1, 1)) &&
                 (a->next[i] = arena_alloc(&a->arena, a->bytes[i] + 1, 1));
    }
    return ok ? ST_OK : err_set(err, ST_NOMEM, "out of memory");
}

static bool has_twins(const struct graph *g)
{
    for (uint32_t i = 1; i < g->n_inputs; i++)
        for (uint32_t k = 0; k < i; k++)
            if (g->inputs[i] == g->inputs[k])
                return true;
    return false;
}

static bool make_lists(struct loop_condition *a, uint32_t n)
{
    a->n = n;
    a->needs = ARENA_ARRAY(&a->arena, n, bool);
    a->of_cond = ARENA_ARRAY(&a->arena, n, uint32_t);
    a->of_step = ARENA_ARRAY(&a->arena, n, uint32_t);
    a->made_as = ARENA_ARRAY(&a->arena, n, struct output_origin);
    a->value = ARENA_ARRAY(&a->arena, n, void *);
    a->next = ARENA_ARRAY(&a->arena, n, void *);
    a->bytes = ARENA_ARRAY(&a->arena, n, size_t);
    return a->needs && a->of_cond && a->of_step && a->made_as && a->value && a->next && a->bytes;
}

/* Anything but ST_NOMEM: it is not for the CPU to do beside. */
static enum status make(struct loop_condition *a, const struct session *cond, const struct session *body, struct arena *scratch,
                        struct err *err)
{
    struct slice c, b;
    enum status st;

    a->cond_index = cond->graph->subgraph;
    if (!make_lists(a, body->graph->n_inputs) || !slice_init(&c, cond->graph, scratch) || !slice_init(&b, body->graph, scratch))
        return err_set(err, ST_NOMEM, "out of memory");
    if (has_twins(cond->graph) || has_twins(body->graph) || !find_counters(a, &c, &b))
        return ST_LATER;
    if ((st = make_part(a, cond, &c, cond->graph->outputs, 1, a->of_cond, &a->cond, err)) || (st = make_step(a, body, &b, err)))
        return st;
    return make_room(a, body->graph, err);
}

static void drop_parts(struct loop_condition *a)
{
    session_free(a->cond);
    session_free(a->step);
    a->cond = a->step = NULL;
}

enum status loop_condition_find(const struct session *cond, struct session *body, struct loop_condition **out, struct err *err)
{
    struct arena scratch = {0};
    struct err why = {""};
    enum status st;

    *out = body->call.condition;
    if (*out && (*out)->cond_index == cond->graph->subgraph) {
        *out = (*out)->cond ? *out : NULL;
        return ST_OK;
    }
    *out = NULL;
    if (!cond->delegation.n_kernels || !cond->graph->outputs[0])
        return ST_OK;
    loop_condition_free(body->call.condition);
    if (!(body->call.condition = calloc(1, sizeof *body->call.condition)))
        return err_set(err, ST_NOMEM, "out of memory");
    st = make(body->call.condition, cond, body, &scratch, &why);
    arena_free(&scratch);
    if (st == ST_NOMEM) {
        loop_condition_free(body->call.condition);
        body->call.condition = NULL;
        return err_set(err, st, "%s", why.msg);
    }
    if (st)
        drop_parts(body->call.condition);
    *out = st ? NULL : body->call.condition;
    return ST_OK;
}

void loop_condition_free(struct loop_condition *a)
{
    if (!a)
        return;
    drop_parts(a);
    arena_free(&a->arena);
    free(a);
}

/* ---- rounds ---- */

bool loop_condition_needs(const struct loop_condition *a, uint32_t i)
{
    return a->needs[i];
}

void loop_condition_set(struct loop_condition *a, uint32_t i, const void *data)
{
    memcpy(a->value[i], data, a->bytes[i]);
}

const void *loop_condition_value(const struct loop_condition *a, uint32_t i)
{
    return a->value[i];
}

static enum status run(const struct loop_condition *a, struct session *part, const uint32_t *at, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < a->n && !st; i++)
        if (a->needs[i] && at[i] != NONE)
            st = session_set_input(part, at[i], a->value[i], a->bytes[i], err);
    return st ? st : session_run(part, err);
}

enum status loop_condition_ask(struct loop_condition *a, bool *more, struct err *err)
{
    enum status st = run(a, a->cond, a->of_cond, err);

    return st ? st : control_flow_condition(session_output(a->cond, 0), more, err);
}

enum status loop_condition_step(struct loop_condition *a, struct err *err)
{
    void **old = a->value;
    enum status st = a->step ? run(a, a->step, a->of_step, err) : ST_OK;

    if (st)
        return st;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->needs[i])
            memcpy(a->next[i], a->made_as[i].is_input ? old[a->made_as[i].i] : session_output(a->step, a->made_as[i].i)->data,
                   a->bytes[i]);
    a->value = a->next;
    a->next = old;
    return ST_OK;
}
