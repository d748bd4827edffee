/* SPDX-License-Identifier: Apache-2.0 */
/* subgraph.c - the sessions of called subgraphs: made at the first call, prepared again only for new shapes, values copied.
 *
 * The CPU calls them; what delegates take of them they run, each partition on its own. */
#include "subgraph.h"
#include "calls.h"
#include "clock.h"
#include "session_impl.h"

#include <string.h>

/* Those that options number are nodes of the outermost graph. */
static bool numbers_nodes(const struct partition_options *p)
{
    return p->first_node || p->end_node || (p->cpu_nodes && *p->cpu_nodes);
}

/* Whether delegates are asked about what node `n` calls: where it is called with the same shapes each time. */
static bool asks_delegates(const struct session *root, const struct node *n)
{
    return (node_calls(n).n || n->called) && !n->dynamic && !numbers_nodes(&root->opt.partition);
}

enum status subgraph_session(struct cpu_call *c, int64_t index, struct session **out, struct err *err)
{
    struct session *root = c->session ? c->session->root : NULL;
    struct session_options opt;
    enum status st;

    if (!root)
        return err_set(err, ST_UNSUPPORTED, "a subgraph cannot be run at plan time");
    if (index < 0 || index >= root->graph->model->n_subgraphs)
        return err_set(err, ST_BAD_MODEL, "it calls subgraph %lld of %u", (long long)index, root->graph->model->n_subgraphs);
    opt = root->opt;
    if (!asks_delegates(root, c->node))
        memset(opt.delegates, 0, sizeof opt.delegates);
    st = root->subgraphs[index] ? ST_OK
                                : session_make(root->graph->model, (uint32_t)index, &opt, root, &root->subgraphs[index], err);
    *out = root->subgraphs[index];
    return st;
}

/* Called with other shapes than before: it would be compiled anew each time. */
static void leave_delegates(struct session *s)
{
    char text[160];

    snprintf(text, sizeof text, "subgraph %u is called with several shapes: it runs on the CPU from here on", s->graph->subgraph);
    delegate_warn(s->opt.delegates[0], "%s", text);
    memset(s->opt.delegates, 0, sizeof s->opt.delegates);
}

/* Gives the inputs these shapes; prepares where one is new. */
static enum status take_shapes(struct session *s, struct tensor *const *in, struct err *err)
{
    bool changed = !s->prepared;

    for (uint32_t i = 0; i < s->graph->n_inputs; i++) {
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
    if (changed && s->prepared_once && s->opt.delegates[0])
        leave_delegates(s);
    s->prepared_once |= changed;
    return changed ? session_prepare(s, err) : ST_OK;
}

enum status subgraph_run(struct session *s, struct tensor *const *in, uint32_t n_in, struct err *err)
{
    enum status st;

    if (n_in != s->graph->n_inputs)
        return err_set(err, ST_BAD_MODEL, "subgraph %u takes %u inputs, not %u", s->graph->subgraph, s->graph->n_inputs, n_in);
    for (uint32_t i = 0; i < n_in; i++)
        if (!in[i] || !s->graph->inputs[i])
            return err_set(err, ST_BAD_MODEL, "input %u of subgraph %u is omitted", i, s->graph->subgraph);
    if ((st = take_shapes(s, in, err)))
        return st;
    for (uint32_t i = 0; i < n_in; i++)
        if (!s->graph->inputs[i]->is_const && (st = session_set_input(s, i, in[i]->data, in[i]->bytes, err)))
            return st;
    return session_run(s, err);
}

enum status subgraph_outputs(struct cpu_call *c, const struct session *s, struct err *err)
{
    if (c->node->n_out != s->graph->n_outputs)
        return err_set(err, ST_BAD_MODEL, "subgraph %u has %u outputs, the node %u", s->graph->subgraph, s->graph->n_outputs,
                       c->node->n_out);
    for (uint32_t i = 0; i < c->node->n_out; i++) {
        const struct tensor *from = s->graph->outputs[i];
        struct tensor *to = c->node->out[i];
        enum status st;

        if (!to)
            continue;
        if (!from || to->type != from->type)
            return err_set(err, ST_BAD_MODEL, "output %u of subgraph %u is %s, not %s", i, s->graph->subgraph,
                           from ? TENSOR_TEXT(from) : "omitted", type_name(to->type));
        if ((st = cpu_resize_output(c, i, from->dim, from->rank, from->bytes, err)))
            return st;
        if (from->bytes)
            memcpy(to->data, from->data, from->bytes);
    }
    return ST_OK;
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
