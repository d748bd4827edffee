/* SPDX-License-Identifier: Apache-2.0 */
/* subgraph.c - the sessions of called subgraphs: made at the first call, values copied.
 *
 * The CPU calls them; what delegates take of them they run, each partition on its own. Where delegates are asked there is one for
 * each set of shapes, as compiling takes long; else one, which is prepared again. */
#include "lib/session/subgraph.h"
#include "lib/base/clock.h"
#include "lib/graph/control_flow.h"
#include "lib/session/session_impl.h"

#include <string.h>

void subgraph_keep(struct session *s)
{
    s->call.within++;
}

void subgraph_let_go(struct session *s)
{
    s->call.within--;
}

/* ---- which session ---- */

/* Called with ever other shapes it would be planned anew each time. True: it is the CPU's from here on. */
static bool gives_up(const struct runtime *r, uint32_t index, bool hit)
{
    struct session_cache *c = &r->called[index].by_delegates;

    if (!session_cache_gives_up(c, hit))
        return false;
    delegate_warn(r->outermost->opt.delegates[0],
                  "subgraph %u had new shapes in %d calls one after the other: it runs on the CPU from here on", index,
                  SESSION_CACHE_MISSES);
    session_cache_trim(c, 0);
    return true;
}

/* Gives the inputs these shapes; prepares where one is new. */
static enum status take_shapes(struct session *s, struct tensor *const *in, uint32_t n_in, struct err *err)
{
    bool changed = !s->prepared;

    for (uint32_t i = 0; i < n_in; i++) {
        struct tensor *t = s->graph->inputs[i];
        enum status st;

        if (t->type != in[i]->type)
            return err_set(err, ST_BAD_MODEL, "subgraph %u takes %s as input %u, not %s", s->graph->subgraph, TENSOR_TEXT(t), i,
                           TENSOR_TEXT(in[i]));
        if (tensor_same_shape(t, in[i]))
            continue;
        changed = true;
        if ((st = graph_resize_input(s->graph, i, in[i]->dim, in[i]->rank, err)))
            return st;
    }
    return changed ? session_prepare(s, err) : ST_OK;
}

static enum status check_inputs(const struct model *m, uint32_t index, struct tensor *const *in, uint32_t n_in, struct err *err)
{
    const struct model_subgraph *s = &m->subgraphs[index];

    if (n_in != s->n_inputs)
        return err_set(err, ST_BAD_MODEL, "subgraph %u takes %u inputs, not %u", index, s->n_inputs, n_in);
    for (uint32_t i = 0; i < n_in; i++)
        if (!in[i] || s->inputs[i] < 0)
            return err_set(err, ST_BAD_MODEL, "input %u of subgraph %u is omitted", i, index);
    return ST_OK;
}

/* One that delegates are asked about is made for these shapes, where there is none. */
static enum status by_delegates(struct runtime *r, uint32_t index, struct tensor *const *in, uint32_t n_in, struct session **out,
                                struct err *err)
{
    const struct session *of = r->outermost;
    struct session_cache *c = &r->called[index].by_delegates;
    struct cached_session *e = session_cache_find(c, in, n_in);
    enum status st;

    if (!e) {
        if (!(e = cached_session_new(in, n_in)))
            return err_set(err, ST_NOMEM, "out of memory for a session of subgraph %u", index);
        if ((st = session_make(of->graph->model, index, &of->opt, r, &e->s, err))) {
            cached_session_free(e);
            return st;
        }
        session_cache_trim(c, SESSION_CACHE_MAX - 1);
        session_cache_add(c, e);
    }
    if (!(st = take_shapes(e->s, in, n_in, err))) {
        e->used = ++r->calls;
        *out = e->s;
    } else if (!e->s->call.within) {
        session_cache_drop(c, e);
    }
    return st;
}

/* There is one, which is prepared again for other shapes. */
static enum status by_cpu(struct runtime *r, uint32_t index, struct tensor *const *in, uint32_t n_in, struct session **out,
                          struct err *err)
{
    struct called_subgraph *c = &r->called[index];
    struct session_options opt = r->outermost->opt;
    enum status st;

    memset(opt.delegates, 0, sizeof opt.delegates);
    if (!c->by_cpu && (st = session_make(r->outermost->graph->model, index, &opt, r, &c->by_cpu, err)))
        return st;
    if (c->by_cpu->call.within)
        return err_set(err, ST_BAD_MODEL, "subgraph %u is called by itself", index);
    if ((st = take_shapes(c->by_cpu, in, n_in, err)))
        return st;
    c->by_cpu_used = ++r->calls;
    *out = c->by_cpu;
    return ST_OK;
}

enum status subgraph_session(struct cpu_call *c, int64_t index, struct tensor *const *in, uint32_t n_in, struct session **out,
                             struct err *err)
{
    struct runtime *r = c->session ? c->session->runtime : NULL;
    const struct session_cache *cache;
    enum status st;
    bool asks;

    if (!r)
        return err_set(err, ST_UNSUPPORTED, "a subgraph cannot be run at plan time");
    if (index < 0 || index >= r->n_called)
        return err_set(err, ST_BAD_MODEL, "it calls subgraph %lld of %u", (long long)index, r->n_called);
    if ((st = check_inputs(r->outermost->graph->model, (uint32_t)index, in, n_in, err)))
        return st;
    cache = &r->called[index].by_delegates;
    asks = session_asks_about_calls(r->outermost, c->node);
    if (asks && r->outermost->opt.delegates[0] && !cache->given_up &&
        !gives_up(r, (uint32_t)index, session_cache_find(cache, in, n_in)))
        st = by_delegates(r, (uint32_t)index, in, n_in, out, err);
    else
        st = by_cpu(r, (uint32_t)index, in, n_in, out, err);
    if (!st)
        (*out)->call.asked = asks;
    return st;
}

/* ---- running it ---- */

static enum status place_outputs(struct session *s, const uint32_t *at, struct err *err)
{
    const struct graph *g = s->graph;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < g->n_outputs && s->placement.delegate && !st; i++)
        if (g->outputs[i] && output_is_made(g, i))
            st = placement_set(s, g->outputs[i], at ? at[i] : 0, err);
    return st;
}

static enum status run(struct session *s, struct tensor *const *in, uint32_t n_in, const uint32_t *in_at, const uint32_t *out_at,
                       struct err *err)
{
    enum status st = place_outputs(s, out_at, err);

    for (uint32_t i = 0; i < n_in && !st; i++) {
        const struct tensor *t = s->graph->inputs[i];

        if (!t->is_const && !(st = placement_set(s, t, in_at ? in_at[i] : 0, err)) && !placement_of(s, t))
            st = session_set_input(s, i, in[i]->data, in[i]->bytes, err);
    }
    return st ? st : session_run(s, err);
}

enum status subgraph_run(struct session *s, struct tensor *const *in, uint32_t n_in, const uint32_t *in_at, const uint32_t *out_at,
                         struct err *err)
{
    enum status st;

    subgraph_keep(s);
    st = run(s, in, n_in, in_at, out_at, err);
    subgraph_let_go(s);
    return st;
}

static enum status take_output(struct cpu_call *c, const struct session *s, uint32_t i, bool placed, struct err *err)
{
    const struct tensor *from = s->graph->outputs[i];
    struct tensor *to = c->node->out[i];
    enum status st;

    if (!from || to->type != from->type)
        return err_set(err, ST_BAD_MODEL, "output %u of subgraph %u is %s, not %s", i, s->graph->subgraph,
                       from ? TENSOR_TEXT(from) : "omitted", type_name(to->type));
    if ((st = cpu_resize_output(c, i, from->dim, from->rank, from->bytes, err)))
        return st;
    if (!placed && from->bytes)
        memcpy(to->data, from->data, from->bytes);
    return ST_OK;
}

enum status subgraph_outputs(struct cpu_call *c, const struct session *s, const uint32_t *at, struct err *err)
{
    enum status st = ST_OK;

    if (c->node->n_out != s->graph->n_outputs)
        return err_set(err, ST_BAD_MODEL, "subgraph %u has %u outputs, the node %u", s->graph->subgraph, s->graph->n_outputs,
                       c->node->n_out);
    for (uint32_t i = 0; i < c->node->n_out && !st; i++)
        if (c->node->out[i])
            st = take_output(c, s, i, at && at[i], err);
    return st;
}

enum status subgraph_go_on(const struct cpu_call *c, struct err *err)
{
    const struct session *s = c->session ? c->session->runtime->outermost : NULL;

    if (!s || !s->opt.go_on)
        return ST_OK;
    return s->opt.go_on(s->opt.go_on_arg, (double)(clock_ns() - s->runtime->run_began_ns) / 1e9, err);
}

bool *subgraph_called_once(struct cpu_call *c, int64_t index)
{
    return &c->session->runtime->called[index].called_once;
}

struct resources **subgraph_resources(struct cpu_call *c)
{
    return &c->session->runtime->resources;
}

/* ---- being told ---- */

/* A node that the CPU runs names the subgraph, where delegates would be asked about it. */
static bool is_named(const struct session *s, uint32_t subgraph)
{
    const struct graph *g = s->graph;
    const int32_t *part_of = s->delegation.parts.part_of;

    for (uint32_t i = 0; part_of && i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        struct model_calls w = {.op = &g->model->subgraphs[g->subgraph].ops[n->index]};
        uint32_t index;

        if (!n->folded && part_of[i] < 0 && node_calls_asked(n))
            while (model_next_call(&w, &index))
                if (index == subgraph)
                    return true;
    }
    return false;
}

/* The session of the subgraph that was called last; NULL: no run has called it. */
static const struct session *latest(const struct called_subgraph *c)
{
    const struct session *s = c->by_cpu;
    uint64_t used = c->by_cpu_used;

    for (const struct cached_session *e = c->by_delegates.first; e; e = e->next)
        if (!s || e->used > used) {
            s = e->s;
            used = e->used;
        }
    return s;
}

/* The outermost session, or one that it called, names the subgraph, but no run has called it. */
static bool is_not_run(const struct runtime *r, uint32_t subgraph)
{
    const struct session *called;

    if (latest(&r->called[subgraph]))
        return false;
    if (is_named(r->outermost, subgraph))
        return true;
    for (uint32_t i = 0; (called = runtime_called(r, i)); i++)
        if (called->call.asked && is_named(called, subgraph))
            return true;
    return false;
}

static void add_called(const struct session *called, struct session_called *out)
{
    const struct partitioning *parts = &called->delegation.parts;

    out->subgraphs++;
    for (uint32_t i = 0; i < called->plan.n_steps; i++)
        out->nodes += called->plan.steps[i].part_index < 0;
    out->nodes += parts->n_delegated;
    if (called->call.by_cpu) {
        out->ahead += parts->n_delegated;
        return;
    }
    out->delegated += parts->n_delegated;
    out->partitions += parts->n_parts;
}

void session_called(const struct session *s, struct session_called *out)
{
    const struct runtime *r = s->runtime;

    *out = (struct session_called){0};
    for (uint32_t i = 0; i < r->n_called; i++) {
        const struct session *called = latest(&r->called[i]);

        out->not_run += is_not_run(r, i);
        if (called && called->call.asked)
            add_called(called, out);
    }
}
