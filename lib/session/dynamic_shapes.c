/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_shapes.c - groups of steps whose shapes become known while running.
 *
 * Once a run knows the shapes of a group's inputs, a session of its own runs the group, so that delegates can take nodes of it. */
#include <string.h>

#include "lib/graph/graph_infer.h"
#include "lib/graph/graph_numbers.h"
#include "lib/graph/graph_part.h"
#include "lib/session/session_impl.h"

/* A group of steps. */
struct dynamic_group {
    uint32_t n_steps, n_in, n_out;
    bool *within;       /* [graph nodes] nodes of the group */
    struct tensor **in, /* [n_in] tensors of the session's graph that the group reads, results of folded nodes included */
        **out;          /* [n_out] tensors of the session's graph that the group computes for others */
    struct session_cache cache;
    const struct session *last;              /* session of the last run; NULL: the CPU ran it step by step */
    uint32_t made;                           /* number of sessions made */
    uint32_t cpu;                            /* nodes that the CPU ran in the last run */
    uint64_t runs, node_runs, cpu_node_runs; /* as in struct session_dynamic */
};

/* Return the number of groups around a session, one inside the other. */
static inline uint32_t dynamic_level(const struct session *s)
{
    return s->graph->part ? s->graph->part->level : 0;
}

/* ---- making one ---- */

void dynamic_free(struct session *s)
{
    for (uint32_t i = 0; i < s->plan.n_steps; i++) {
        if (s->plan.steps[i].dynamic)
            session_cache_free(&s->plan.steps[i].dynamic->cache);
        s->plan.steps[i].dynamic = NULL;
    }
}

/* Keeps the content of input i in the entry and makes it a constant of its graph. */
static enum status know(const struct dynamic_group *l, struct cached_session *e, uint32_t i, struct err *err)
{
    if (!(e->known[i] = arena_alloc(&e->arena, 1, l->in[i]->bytes + 1)))
        return err_set(err, ST_NOMEM, "out of memory for %zu bytes", l->in[i]->bytes);
    if (l->in[i]->bytes)
        memcpy(e->known[i], l->in[i]->data, l->in[i]->bytes);
    return graph_part_know(e->s->graph, i, l->in[i]->data, err);
}

/* Infers shapes again and again, each time with more numbers known. */
static enum status learn(const struct dynamic_group *l, struct cached_session *e, struct err *err)
{
    struct graph *g = e->s->graph;
    struct arena scratch = {0};
    bool *known = ARENA_ARRAY(&scratch, g->n_tensors, bool), *wanted = ARENA_ARRAY(&scratch, g->n_tensors, bool);
    bool more = true;
    enum status st = known && wanted ? ST_OK : err_set(err, ST_NOMEM, "out of memory for %u tensors", g->n_tensors);

    while (more && !st && !(st = graph_infer(g, err))) {
        more = false;
        graph_numbers_wanted(g, known, wanted);
        for (uint32_t i = 0; i < g->n_inputs && !st; i++) {
            if (!wanted[g->inputs[i]->index] || g->inputs[i]->is_const || e->known[i])
                continue;
            st = know(l, e, i, err);
            more = true;
        }
    }
    arena_free(&scratch);
    return st;
}

static bool has_groups(const struct session *s)
{
    for (uint32_t i = 0; i < s->plan.n_steps; i++)
        if (s->plan.steps[i].dynamic)
            return true;
    return false;
}

/* Partitions that the group may have had with any of its sessions. Groups within it may still take what is left to a session. */
static uint32_t n_taken(const struct dynamic_group *l)
{
    uint32_t most = 0;

    for (const struct cached_session *e = l->cache.first; e; e = e->next) {
        const struct session *s = e->s;
        const uint32_t n = !s ? 0 : has_groups(s) ? (uint32_t)s->opt.partition.max_partitions : s->delegation.parts.n_parts;

        most = n > most ? n : most;
    }
    return most;
}

static bool is_limited(const struct session *s)
{
    return s->opt.partition.max_partitions > 0;
}

/* Of a session that is_limited: how many partitions it and its other groups leave to this one. */
static int32_t n_left(const struct session *s, const struct dynamic_group *l)
{
    uint32_t taken = s->delegation.parts.n_parts;

    for (uint32_t i = 0; i < s->plan.n_steps; i++)
        if (s->plan.steps[i].dynamic && s->plan.steps[i].dynamic != l)
            taken += n_taken(s->plan.steps[i].dynamic);
    return s->opt.partition.max_partitions - (int32_t)taken;
}

static enum status prepare(const struct session *s, const struct dynamic_group *l, struct cached_session *e, struct err *err)
{
    struct session_options opt = s->opt;
    struct graph *g;
    enum status st;

    opt.partition.max_partitions = is_limited(s) ? n_left(s, l) : 0;
    if ((st = session_make(s->graph->model, s->graph->subgraph, &opt, s->runtime, &e->s, err)))
        return st;
    g = e->s->graph;
    st = graph_part(g, l->within, l->in, l->n_in, l->out, l->n_out, dynamic_level(s) + 1, err);
    for (uint32_t i = 0; i < l->n_in && !st; i++)
        if (!(st = graph_resize_input(g, i, l->in[i]->dim, l->in[i]->rank, err)) && l->in[i]->is_const)
            st = graph_part_know(g, i, l->in[i]->data, err);
    if (!st && !(st = learn(l, e, err)))
        st = session_prepare(e->s, err);
    return st;
}

/* What is wrong with the nodes the CPU says when it comes to them. */
static bool is_the_models(enum status st)
{
    return st == ST_BAD_MODEL || st == ST_UNSUPPORTED || st == ST_USAGE;
}

/* A new entry, in the place of the one that was used longest ago if there is no room. */
static enum status add_session(const struct session *s, struct dynamic_group *l, struct cached_session **out, struct err *err)
{
    struct cached_session *e = cached_session_new(l->in, l->n_in);
    enum status st = e ? prepare(s, l, e, err) : err_set(err, ST_NOMEM, "out of memory for a group of %u nodes", l->n_steps);

    l->made++;
    if (e && (is_the_models(st) || (!st && !e->s->delegation.parts.n_delegated && !has_groups(e->s)))) {
        session_free(e->s);
        e->s = NULL;
        st = ST_OK;
    }
    if (st) {
        cached_session_free(e);
        return st;
    }
    session_cache_trim(&l->cache, SESSION_CACHE_MAX - 1);
    session_cache_add(&l->cache, *out = e);
    return ST_OK;
}

/* ---- which one a run takes ---- */

static void give_up(const struct session *s, struct dynamic_group *l)
{
    const struct node *n = NULL;

    for (uint32_t i = 0; i < s->graph->n_nodes && !n; i++)
        n = l->within[i] ? &s->graph->nodes[i] : NULL;
    delegate_warn(s->opt.delegates[0],
                  "%u nodes from node %u %s on had new shapes in %d runs one after the other: the CPU runs them from "
                  "here on",
                  l->n_steps, n->index, n->name, SESSION_CACHE_MISSES);
    session_cache_trim(&l->cache, 0);
}

/* *out stays NULL where the CPU is to run the group. */
static enum status choose_session(struct session *s, struct dynamic_group *l, struct session **out, struct err *err)
{
    struct cached_session *e = session_cache_find(&l->cache, l->in, l->n_in);
    enum status st = ST_OK;

    *out = NULL;
    if (l->cache.given_up || (is_limited(s) && n_left(s, l) < 1))
        return ST_OK;
    if (session_cache_gives_up(&l->cache, e)) {
        give_up(s, l);
        return ST_OK;
    }
    if (!e && (st = add_session(s, l, &e, err)))
        return st;
    e->used = ++l->runs;
    *out = e->s;
    return ST_OK;
}

static enum status take_outputs(const struct dynamic_group *l, const struct session *from, struct err *err)
{
    for (uint32_t i = 0; i < l->n_out; i++) {
        const struct tensor *made = from->graph->outputs[i];
        struct tensor *to = l->out[i];
        enum status st;

        if ((st = tensor_set_shape(to, made->dim, made->rank, err)) || (st = tensor_reserve(to, err)))
            return st;
        if (made->bytes)
            memcpy(to->data, made->data, made->bytes);
    }
    return ST_OK;
}

/* Its partitions are counted behind those of s and of the groups before. */
static enum status profile(struct session *s, struct session *of, struct err *err)
{
    const struct profile_row *rows;
    const struct delegate_overhead *o = &of->overhead;
    const int32_t base = s->profiled_parts;
    size_t n;
    enum status st = session_profile(of, &rows, &n, err);

    for (size_t i = 0; i < n && !st; i++) {
        struct profile_row row = rows[i];

        if (row.partition >= 0)
            row.partition += base;
        if (row.partition >= s->profiled_parts)
            s->profiled_parts = row.partition + 1;
        st = session_add_row(s, &row, err);
    }
    s->overhead.write_ns += o->write_ns;
    s->overhead.wait_ns += o->wait_ns;
    s->overhead.read_ns += o->read_ns;
    return st;
}

/* Nodes that the CPU ran in the last run of s. */
static uint32_t n_on_cpu(const struct session *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->plan.n_steps; i++) {
        const struct dynamic_group *l = s->plan.steps[i].dynamic;

        n += s->plan.steps[i].part_index < 0;
        if (l)
            n -= l->n_steps - l->cpu;
    }
    return n;
}

static void count_run(struct dynamic_group *l)
{
    l->cpu = l->last ? n_on_cpu(l->last) : l->n_steps;
    l->node_runs += l->n_steps;
    l->cpu_node_runs += l->cpu;
}

enum status dynamic_run(struct session *s, uint32_t first, bool profiled, uint32_t *n, struct err *err)
{
    struct dynamic_group *l = s->plan.steps[first].dynamic;
    struct session *of;
    enum status st;

    *n = 0;
    if (!l)
        return ST_OK;
    l->last = NULL;
    if ((st = choose_session(s, l, &of, err)))
        return st;
    l->last = of;
    if (!of) {
        count_run(l);
        return ST_OK;
    }
    for (uint32_t i = 0; i < l->n_in; i++)
        if (!of->graph->inputs[i]->is_const && (st = session_set_input(of, i, l->in[i]->data, l->in[i]->bytes, err)))
            return st;
    if ((st = profiled ? profile(s, of, err) : session_run(of, err)) || (st = take_outputs(l, of, err)))
        return st;
    count_run(l);
    *n = l->n_steps;
    return ST_OK;
}

/* ---- being told ---- */

const struct session *dynamic_session(const struct session *s, uint32_t i)
{
    for (uint32_t k = 0; k < s->plan.n_steps; k++)
        for (const struct cached_session *e = s->plan.steps[k].dynamic ? s->plan.steps[k].dynamic->cache.first : NULL; e;
             e = e->next)
            if (e->s && !i--)
                return e->s;
    return NULL;
}

static void add_groups(const struct session *s, struct session_dynamic *out)
{
    for (uint32_t k = 0; k < s->plan.n_steps; k++) {
        const struct dynamic_group *l = s->plan.steps[k].dynamic;
        struct session_dynamic within = {0};

        if (!l)
            continue;
        out->groups++;
        out->nodes += l->n_steps;
        out->plans += l->made;
        out->runs += (uint32_t)l->runs;
        out->node_runs += l->node_runs;
        out->cpu_node_runs += l->cpu_node_runs;
        out->cpu += l->cpu;
        if (!l->last)
            continue;
        add_groups(l->last, &within);
        out->delegated += l->last->delegation.parts.n_delegated + within.delegated;
        out->partitions += l->last->delegation.parts.n_parts + within.partitions;
        out->plans += within.plans;
    }
}

void session_dynamic(const struct session *s, struct session_dynamic *out)
{
    *out = (struct session_dynamic){0};
    add_groups(s, out);
    for (uint32_t i = 0; session_is_outermost(s) && runtime_called(s->runtime, i); i++)
        add_groups(runtime_called(s->runtime, i), out);
}

bool session_fully_delegated(const struct session *s)
{
    uint32_t dynamic = 0, cpu = 0;

    for (uint32_t i = 0; i < s->plan.n_steps; i++) {
        const struct dynamic_group *l = s->plan.steps[i].dynamic;

        cpu += s->plan.steps[i].part_index < 0;
        if (l && l->cpu_node_runs)
            return false;
        dynamic += l ? l->n_steps : 0;
    }
    return s->opt.delegates[0] && cpu == dynamic;
}

/* ---- which steps of a plan are groups, what they read and what they make for others ---- */

/* Its shapes depend on what it computes (WHERE): they are not known before it has run. */
static bool sizes_itself(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && (n->in[i]->is_dynamic || (!n->in[i]->is_const && tensor_is_number(n->in[i]))))
            return false;
    return true;
}

static bool all_numbers(struct tensor *const *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (t[i] && (!type_bits(t[i]->type) || t[i]->type == TYPE_RESOURCE))
            return false;
    return true;
}

static bool calls_subgraphs(const struct session *s, const struct node *n)
{
    uint32_t subgraph;

    return model_next_call(&(struct model_calls){.op = &s->graph->model->subgraphs[s->graph->subgraph].ops[n->index]}, &subgraph);
}

static bool belongs(const struct session *s, const struct step *step)
{
    const struct node *n = step->call.node;

    return step->part_index < 0 && n->dynamic && n->op && n->version <= n->op->max_version && !node_is_stateful(n) &&
           all_numbers(n->in, n->n_in) && all_numbers(n->out, n->n_out) && !sizes_itself(n) && !calls_subgraphs(s, n);
}

/* made[tensors]: 1 by the group, 2 by a folded node. */
static void list_inputs(struct dynamic_group *l, const struct graph *g, const uint8_t *made)
{
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; l->within[i] && k < g->nodes[i].n_in; k++) {
            struct tensor *t = g->nodes[i].in[k];

            if (t && made[t->index] != 1 && (!t->is_const || made[t->index] == 2))
                graph_part_add(l->in, &l->n_in, t);
        }
}

static void list_outputs(struct dynamic_group *l, const struct graph *g, const uint8_t *made, bool all)
{
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_in && !l->within[i]; k++)
            if (g->nodes[i].in[k] && made[g->nodes[i].in[k]->index] == 1)
                graph_part_add(l->out, &l->n_out, g->nodes[i].in[k]);
    for (uint32_t i = 0; i < g->n_outputs; i++)
        if (g->outputs[i] && made[g->outputs[i]->index] == 1)
            graph_part_add(l->out, &l->n_out, g->outputs[i]);
    for (uint32_t i = 0; i < g->n_tensors && all; i++)
        if (made[i] == 1)
            graph_part_add(l->out, &l->n_out, &g->tensors[i]);
}

static enum status add_group(struct session *s, uint32_t first, uint32_t n, struct err *err)
{
    const struct graph *g = s->graph;
    struct arena *a = &s->plan.arena;
    struct dynamic_group *l = ARENA_NEW(a, struct dynamic_group);
    uint8_t *made = ARENA_ARRAY(a, g->n_tensors, uint8_t);

    if (!l || !made || !(l->within = ARENA_ARRAY(a, g->n_nodes, bool)) ||
        !(l->in = ARENA_ARRAY(a, g->n_tensors, struct tensor *)) || !(l->out = ARENA_ARRAY(a, g->n_tensors, struct tensor *)))
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", n);
    l->n_steps = n;
    for (uint32_t i = first; i < first + n; i++)
        l->within[s->plan.steps[i].call.node - g->nodes] = true;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out; k++)
            if (g->nodes[i].out[k])
                made[g->nodes[i].out[k]->index] = l->within[i] ? 1 : g->nodes[i].folded ? 2 : 0;
    list_inputs(l, g, made);
    list_outputs(l, g, made, s->opt.keep_intermediates);
    s->plan.steps[first].dynamic = l;
    return ST_OK;
}

enum status dynamic_find(struct session *s, struct err *err)
{
    uint32_t n = 0;
    enum status st = ST_OK;

    if (!s->opt.delegates[0] || dynamic_level(s) == DYNAMIC_LEVELS)
        return ST_OK;
    for (uint32_t i = 0; i <= s->plan.n_steps && !st; i++) {
        if (i < s->plan.n_steps && belongs(s, &s->plan.steps[i])) {
            n++;
            continue;
        }
        if (n)
            st = add_group(s, i - n, n, err);
        n = 0;
    }
    return st;
}
