/* SPDX-License-Identifier: Apache-2.0 */
/* subgraph_calls.c - a call and a loop of calls: where each value lies, and what is copied between them.
 *
 * A buffer that holds a value is not written as long as that counts: what a body makes goes to another one, and what it only hands
 * on, or puts in another order, stays where it is. */
#include "lib/session/session_impl.h"
#include "lib/session/subgraph.h"

#include <string.h>

/* To host memory: the value of t, which is `bytes` long, from where session s has it. */
static enum status fetch(const struct session *s, uint32_t buffer, const struct tensor *t, struct err *err)
{
    struct delegate *d = s->placement.delegate;

    return d->ops->buffer_read(d, buffer, t->data, t->bytes, err);
}

static enum status store(const struct session *s, uint32_t buffer, const struct tensor *t, struct err *err)
{
    struct delegate *d = s->placement.delegate;

    return d->ops->buffer_write(d, buffer, t->data, t->bytes, err);
}

/* A value that lies in `from`, or in host memory in `host`, goes where session s has its tensor t, whose memory `host` is. */
static enum status settle(const struct session *s, const struct tensor *t, uint32_t from, struct err *err)
{
    const uint32_t to = placement_of(s, t);

    if (from == to || placement_unread(s, t))
        return ST_OK;
    if (from && to)
        return s->placement.delegate->ops->buffer_copy(s->placement.delegate, from, to, t->bytes, err);
    return from ? fetch(s, from, t, err) : store(s, to, t, err);
}

/* ---- one call ---- */

struct one {
    struct cpu_call *c;
    struct session *s;
    struct tensor *const *in; /* [n_in] of the node */
    uint32_t n_in;
    uint32_t *in_at, *out_at; /* [n_in], [n_out] buffers in which s reads and makes them */
};

static enum status place_inputs(struct one *o, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < o->n_in && !st; i++) {
        const uint32_t at = placement_of(o->c->session, o->in[i]);

        if (at && placement_possible(o->s, o->s->graph->inputs[i]))
            o->in_at[i] = at;
        else if (at)
            st = fetch(o->c->session, at, o->in[i], err);
    }
    return st;
}

/* Outputs that the subgraph makes go where the node's belong. */
static void choose_outputs(struct one *o)
{
    const struct graph *g = o->s->graph;

    for (uint32_t k = 0; k < g->n_outputs; k++) {
        const struct tensor *to = k < o->c->node->n_out ? o->c->node->out[k] : NULL;

        if (to && g->outputs[k] && output_is_made(g, k) && placement_possible(o->s, g->outputs[k]))
            o->out_at[k] = placement_of(o->c->session, to);
    }
}

/* Where outputs lie that it did not make for the node alone. */
static void find_outputs(struct one *o)
{
    const struct graph *g = o->s->graph;

    for (uint32_t k = 0; k < g->n_outputs; k++) {
        const struct output_origin from = g->outputs[k] ? output_origin(g, k) : (struct output_origin){false, k};

        if (from.is_input)
            o->out_at[k] = o->in_at[from.i];
        else
            o->out_at[k] = o->out_at[from.i];
    }
}

static enum status call(struct one *o, struct err *err)
{
    const struct node *n = o->c->node;
    enum status st = place_inputs(o, err);

    choose_outputs(o);
    if (st || (st = subgraph_run(o->s, o->in, o->n_in, o->in_at, o->out_at, err)))
        return st;
    find_outputs(o);
    st = subgraph_outputs(o->c, o->s, o->out_at, err);
    for (uint32_t k = 0; k < n->n_out && !st; k++)
        if (n->out[k])
            st = settle(o->c->session, n->out[k], o->out_at[k], err);
    return st;
}

enum status subgraph_call(struct cpu_call *c, int64_t index, struct err *err)
{
    const uint32_t first = node_first_call_input(c->node);
    struct one o = {.c = c, .in = c->node->in + first, .n_in = c->node->n_in - first};
    struct arena scratch = {0};
    enum status st = subgraph_session(c, index, o.in, o.n_in, &o.s, err);

    if (st)
        return st;
    o.in_at = ARENA_ARRAY(&scratch, o.n_in, uint32_t);
    o.out_at = ARENA_ARRAY(&scratch, o.s->graph->n_outputs, uint32_t);
    st = o.in_at && o.out_at ? call(&o, err) : err_set(err, ST_NOMEM, "out of memory");
    arena_free(&scratch);
    return st;
}

/* ---- a loop ---- */

/* Values are in the node's outputs, or in buffers. */
struct loop {
    struct cpu_call *c;
    int64_t cond, body;           /* subgraphs */
    struct session *test, *work;  /* of these */
    struct loop_condition *ahead; /* finds what the condition says; NULL: `test` does */
    bool kept;                    /* both, as shapes stay the same; else new shapes may need new ones in each round */
    uint64_t rounds;              /* of `ahead` */
    uint32_t n;
    uint32_t *at;               /* [n] the buffer that holds value i, 0: host memory; and behind it */
    uint32_t *next;             /* [n] likewise, after the round */
    bool *stays;                /* [n] in buffers */
    struct output_origin *from; /* [n] of the body's outputs */
    struct arena scratch;
};

static enum status find_session(struct loop *l, int64_t index, struct session **s, struct err *err)
{
    return subgraph_session(l->c, index, l->c->node->out, l->n, s, err);
}

/* Both outputs, or inputs, of the body that are one value stay, or neither. True: something changed. */
static bool agree(struct loop *l, uint32_t a, uint32_t b)
{
    if (l->stays[a] == l->stays[b])
        return false;
    l->stays[a] = l->stays[b] = false;
    return true;
}

/* Finds sessions for all rounds. What cannot be made ready, or not as the node has it, fails when it runs. A body that is in the
 * middle of another loop has the values of that one in its buffers. */
static bool keep_sessions(struct loop *l)
{
    struct session *s[2];
    struct err ignored;

    if (l->c->node->dynamic || !session_asks_about_calls(l->c->session, l->c->node) || find_session(l, l->cond, &s[0], &ignored))
        return false;
    subgraph_keep(s[0]);
    if (find_session(l, l->body, &s[1], &ignored) || s[1]->call.within || !s[0]->placement.delegate || !s[1]->placement.delegate ||
        s[1]->graph->n_outputs != l->n || s[0]->graph->n_outputs != 1) {
        subgraph_let_go(s[0]);
        return false;
    }
    subgraph_keep(s[1]);
    l->test = s[0];
    l->work = s[1];
    return true;
}

static void find_staying(struct loop *l)
{
    const struct graph *g = l->work->graph, *test = l->test->graph;
    bool more = true;

    for (uint32_t i = 0; i < l->n; i++) {
        const struct tensor *y = g->outputs[i];

        if (!y)
            continue;
        l->from[i] = output_origin(g, i);
        l->stays[i] = (l->ahead || (placement_possible(l->test, test->inputs[i]) && test->inputs[i] != test->outputs[0])) &&
                      placement_possible(l->work, g->inputs[i]) && tensor_same_shape(y, l->c->node->out[i]) &&
                      y->type == l->c->node->out[i]->type && (l->from[i].is_input || placement_possible(l->work, y));
    }
    while (more) {
        more = false;
        for (uint32_t i = 0; i < l->n; i++)
            if (agree(l, i, l->from[i].i))
                more = true;
    }
}

static enum status spare(struct loop *l, const struct tensor *t, uint32_t *id, struct err *err)
{
    return placement_spare(l->work, t, l->at, 2 * l->n, id, err);
}

/* A buffer that the node's input lies in is read in the first round, and nobody writes it. */
static enum status begin(struct loop *l, struct err *err)
{
    const struct session *s = l->c->session;
    const struct node *n = l->c->node;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < l->n && !st; i++) {
        const uint32_t at = placement_of(s, n->in[i]);

        if (at && l->stays[i])
            l->at[i] = at;
        else if (at)
            st = fetch(s, at, n->out[i], err);
        else if (l->stays[i] && !(st = spare(l, n->out[i], &l->at[i], err)))
            st = store(l->work, l->at[i], n->in[i], err);
        else if (!l->stays[i] && n->in[i]->bytes)
            memcpy(n->out[i]->data, n->in[i]->data, n->in[i]->bytes);
    }
    return st;
}

/* In a round of a loop around this one: its content where t is an input of the body that the CPU counts; else NULL. */
static const void *counted(const struct session *s, const struct tensor *t)
{
    for (uint32_t k = 0; s->call.counting && k < s->graph->n_inputs; k++)
        if (s->graph->inputs[k] == t && loop_condition_needs(s->call.counting, k))
            return loop_condition_value(s->call.counting, k);
    return NULL;
}

/* The first content of counters, which may be on the device alone. */
static enum status count_from(struct loop *l, struct err *err)
{
    const struct session *s = l->c->session;
    const struct node *n = l->c->node;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < l->n && !st; i++) {
        const uint32_t at = placement_of(s, n->in[i]);
        const void *known = at ? counted(s, n->in[i]) : n->in[i]->data;
        const bool unknown = at && !known;

        if (loop_condition_needs(l->ahead, i) && (!unknown || !(st = fetch(s, at, n->out[i], err))))
            loop_condition_set(l->ahead, i, unknown ? n->out[i]->data : known);
    }
    return st;
}

/* So many rounds are handed over at once. */
#define MOST_UNFINISHED 256

static enum status ask_ahead(struct loop *l, bool *more, struct err *err)
{
    enum status st = ST_OK;

    if (l->rounds && (st = loop_condition_step(l->ahead, err)))
        return st;
    if (++l->rounds % MOST_UNFINISHED == 0 && (st = session_finish(l->work, err)))
        return st;
    return loop_condition_ask(l->ahead, more, err);
}

static enum status ask(struct loop *l, bool *more, struct err *err)
{
    enum status st = subgraph_go_on(l->c, err);

    if (!st && l->ahead)
        return ask_ahead(l, more, err);
    if (st || (!l->kept && (st = find_session(l, l->cond, &l->test, err))) ||
        (st = subgraph_run(l->test, l->c->node->out, l->n, l->at, NULL, err)))
        return st;
    if (session_n_outputs(l->test) != 1)
        return err_set(err, ST_BAD_MODEL, "the condition subgraph has %u outputs, expected 1", session_n_outputs(l->test));
    return control_flow_condition(session_output(l->test, 0), more, err);
}

/* Values that are made go to buffers that hold none. */
static enum status choose_next(struct loop *l, struct err *err)
{
    struct tensor *const *y = l->work->graph->outputs;
    enum status st = ST_OK;

    memset(l->next, 0, l->n * sizeof *l->next);
    for (uint32_t i = 0; i < l->n && !st; i++) {
        const struct output_origin from = l->from[i];

        if (l->stays[i] && !from.is_input && from.i == i)
            st = spare(l, y[i], &l->next[i], err);
        else if (l->stays[i])
            l->next[i] = from.is_input ? l->at[from.i] : l->next[from.i];
    }
    return st;
}

static enum status go_round(struct loop *l, struct err *err)
{
    struct tensor *const *v = l->c->node->out;
    enum status st = l->kept ? choose_next(l, err) : find_session(l, l->body, &l->work, err);

    if (st)
        return st;
    l->work->call.counting = l->ahead;
    st = subgraph_run(l->work, v, l->n, l->at, l->kept ? l->next : NULL, err);
    l->work->call.counting = NULL;
    if (st || (st = subgraph_outputs(l->c, l->work, l->next, err)))
        return st;
    memcpy(l->at, l->next, l->n * sizeof *l->at);
    return ST_OK;
}

static enum status run_loop(struct loop *l, struct err *err)
{
    const struct node *n = l->c->node;
    bool more = true;
    enum status st = begin(l, err);

    if (!st && l->ahead)
        st = count_from(l, err);
    while (!st && !(st = ask(l, &more, err)) && more)
        st = go_round(l, err);
    for (uint32_t i = 0; i < l->n && !st; i++)
        st = settle(l->c->session, n->out[i], l->at[i], err);
    return st;
}

static enum status size_values(struct loop *l, struct err *err)
{
    const struct node *n = l->c->node;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < l->n && !st; i++) {
        const struct tensor *to = n->out[i], *from = n->in[i];

        if (!to || !from || to->type != from->type)
            return err_set(err, ST_BAD_MODEL, "input %u and output %u differ in type", i, i);
        st = cpu_resize_output(l->c, i, from->dim, from->rank, from->bytes, err);
    }
    return st;
}

static enum status loop(struct loop *l, struct err *err)
{
    enum status st = ST_OK;

    l->at = ARENA_ARRAY(&l->scratch, 2 * (size_t)l->n, uint32_t);
    l->stays = ARENA_ARRAY(&l->scratch, l->n, bool);
    l->from = ARENA_ARRAY(&l->scratch, l->n, struct output_origin);
    if (!l->at || !l->stays || !l->from)
        return err_set(err, ST_NOMEM, "out of memory");
    l->next = l->at + l->n;
    if ((l->kept = keep_sessions(l))) {
        st = loop_condition_find(l->test, l->work, &l->ahead, err);
        l->test->call.by_cpu = l->ahead;
        find_staying(l);
    }
    st = st ? st : run_loop(l, err);
    if (l->kept) {
        subgraph_let_go(l->test);
        subgraph_let_go(l->work);
    }
    return st;
}

enum status subgraph_loop(struct cpu_call *c, int64_t cond, int64_t body, struct err *err)
{
    struct loop l = {.c = c, .cond = cond, .body = body, .n = c->node->n_in};
    enum status st;

    if (l.n != c->node->n_out)
        return err_set(err, ST_BAD_MODEL, "%u inputs and %u outputs must be as many", l.n, c->node->n_out);
    if (!(st = size_values(&l, err)))
        st = loop(&l, err);
    arena_free(&l.scratch);
    return st;
}
