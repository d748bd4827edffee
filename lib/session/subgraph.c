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

bool subgraph_asks_delegates(const struct session *root, const struct node *n)
{
    return node_calls_asked(n) && !partition_numbers_nodes(&root->opt.partition);
}

uint32_t subgraph_first_input(const struct node *n)
{
    return n->builtin == BUILTIN_IF || n->builtin == BUILTIN_STABLEHLO_CASE; /* the first says what is called */
}

void subgraph_keep(struct session *s)
{
    s->calls_within++;
}

void subgraph_let_go(struct session *s)
{
    s->calls_within--;
}

/* ---- which session ---- */

static bool has_shapes(const struct session *s, struct tensor *const *in)
{
    for (uint32_t i = 0; i < s->graph->n_inputs; i++)
        if (!tensor_same_shape(s->graph->inputs[i], in[i]) || s->graph->inputs[i]->type != in[i]->type)
            return false;
    return s->prepared;
}

/* Among those that delegates were asked about, or not; of the latter there is one, unless a call is in the middle of it. */
static struct session *find(const struct session *root, uint32_t index, struct tensor *const *in, bool asks)
{
    for (struct session *s = root->called; s; s = s->next_called)
        if (s->graph->subgraph == index && !asks == !s->opt.delegates[0] && (has_shapes(s, in) || (!asks && !s->calls_within)))
            return s;
    return NULL;
}

static void drop(struct session *root, struct session *s)
{
    struct session **at = &root->called;

    while (*at != s)
        at = &(*at)->next_called;
    *at = s->next_called;
    session_free(s);
}

/* Of those that delegates were asked about; those that a call is in the middle of stay. */
static void drop_oldest(struct session *root, uint32_t index, uint32_t most)
{
    for (;;) {
        struct session *oldest = NULL;
        uint32_t n = 0;

        for (struct session *s = root->called; s; s = s->next_called) {
            if (s->graph->subgraph != index || !s->opt.delegates[0])
                continue;
            n++;
            if (!s->calls_within && (!oldest || s->last_call < oldest->last_call))
                oldest = s;
        }
        if (n <= most || !oldest)
            return;
        drop(root, oldest);
    }
}

/* Called with ever other shapes it would be planned anew each time. True: it is the CPU's from here on. */
static bool give_up(struct session *root, uint32_t index)
{
    if (root->misses[index] > DYNAMIC_MISSES || ++root->misses[index] <= DYNAMIC_MISSES)
        return false;
    delegate_warn(root->opt.delegates[0],
                  "subgraph %u had new shapes in %d calls one after the other: it runs on the CPU from here on", index,
                  DYNAMIC_MISSES);
    drop_oldest(root, index, 0);
    return true;
}

static enum status add(struct session *root, uint32_t index, bool asks, struct session **out, struct err *err)
{
    struct session_options opt = root->opt;
    enum status st;

    if (asks)
        drop_oldest(root, index, DYNAMIC_PLANS - 1);
    else
        memset(opt.delegates, 0, sizeof opt.delegates);
    if ((st = session_make(root->graph->model, index, &opt, root, out, err)))
        return st;
    (*out)->next_called = root->called;
    root->called = *out;
    return ST_OK;
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

static enum status check_inputs(const struct session *root, uint32_t index, struct tensor *const *in, uint32_t n_in,
                                struct err *err)
{
    const struct model_subgraph *s = &root->graph->model->subgraphs[index];

    if (n_in != s->n_inputs)
        return err_set(err, ST_BAD_MODEL, "subgraph %u takes %u inputs, not %u", index, s->n_inputs, n_in);
    for (uint32_t i = 0; i < n_in; i++)
        if (!in[i] || s->inputs[i] < 0)
            return err_set(err, ST_BAD_MODEL, "input %u of subgraph %u is omitted", i, index);
    return ST_OK;
}

static enum status session_for(struct session *root, uint32_t index, bool asks, struct tensor *const *in, uint32_t n_in,
                               struct session **out, struct err *err)
{
    const bool wanted = asks;
    struct session *s;
    enum status st;

    asks = asks && root->opt.delegates[0] && root->misses[index] <= DYNAMIC_MISSES;
    s = find(root, index, in, asks);
    if (asks && s)
        root->misses[index] = 0;
    else if (asks && give_up(root, index))
        s = find(root, index, in, asks = false);
    if (!s && (st = add(root, index, asks, &s, err)))
        return st;
    s->last_call = ++root->last_call;
    s->asked = wanted;
    if (!(st = take_shapes(s, in, n_in, err))) {
        *out = s;
        return ST_OK;
    }
    if (asks && !s->calls_within)
        drop(root, s);
    return st;
}

enum status subgraph_session(struct cpu_call *c, int64_t index, struct tensor *const *in, uint32_t n_in, struct session **out,
                             struct err *err)
{
    struct session *root = c->session ? c->session->root : NULL;
    enum status st;

    if (!root)
        return err_set(err, ST_UNSUPPORTED, "a subgraph cannot be run at plan time");
    if (index < 0 || index >= root->graph->model->n_subgraphs)
        return err_set(err, ST_BAD_MODEL, "it calls subgraph %lld of %u", (long long)index, root->graph->model->n_subgraphs);
    if ((st = check_inputs(root, (uint32_t)index, in, n_in, err)))
        return st;
    return session_for(root, (uint32_t)index, subgraph_asks_delegates(root, c->node), in, n_in, out, err);
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
    const struct session *root = c->session ? c->session->root : NULL;

    if (!root || !root->opt.go_on)
        return ST_OK;
    return root->opt.go_on(root->opt.go_on_arg, (double)(clock_ns() - root->run_began_ns) / 1e9, err);
}

bool *subgraph_called_once(struct cpu_call *c, int64_t index)
{
    return &c->session->root->called_once[index];
}

struct resources **subgraph_resources(struct cpu_call *c)
{
    return &c->session->root->resources;
}

/* No session of the same subgraph was called after it. */
static bool is_latest(const struct session *root, const struct session *s)
{
    for (const struct session *other = root->called; other; other = other->next_called)
        if (other->graph->subgraph == s->graph->subgraph && other->last_call > s->last_call)
            return false;
    return true;
}

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

/* In `root` or what it called, but no run has called it. */
static bool is_not_run(const struct session *root, uint32_t subgraph)
{
    bool named = is_named(root, subgraph);

    for (const struct session *called = root->called; called; called = called->next_called) {
        if (called->graph->subgraph == subgraph)
            return false;
        named |= called->asked && is_named(called, subgraph);
    }
    return named;
}

void session_called(const struct session *s, struct session_called *out)
{
    *out = (struct session_called){0};
    for (uint32_t i = 0; i < s->graph->model->n_subgraphs; i++)
        out->not_run += is_not_run(s, i);
    for (const struct session *called = s->called; called; called = called->next_called) {
        if (!is_latest(s, called) || !called->asked)
            continue;
        out->subgraphs++;
        for (uint32_t i = 0; i < called->plan.n_steps; i++)
            out->nodes += called->plan.steps[i].part_index < 0;
        out->nodes += called->delegation.parts.n_delegated;
        if (called->by_cpu) {
            out->ahead += called->delegation.parts.n_delegated;
            continue;
        }
        out->delegated += called->delegation.parts.n_delegated;
        out->partitions += called->delegation.parts.n_parts;
    }
}
