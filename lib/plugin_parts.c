/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_parts.c - who runs what of a host's graph, settled before the host is told.
 *
 * Each partition is handed over by itself, so that they are ours, with all that limits them, and not what the host would make of
 * all nodes together. Their kernels are made before, while a node that the driver refuses can still go back. */
#include "plugin.h"

#include <stdlib.h>
#include <string.h>

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the partitions");
}

static uint32_t count_refused(const struct graph *g, const struct reason *refused)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += refused[i].code != REASON_NONE;
    return n;
}

/* ---- kernels ---- */

static enum status note_dims(struct plugin_kernel *k, struct err *err)
{
    if (!k->dims && !(k->dims = calloc((size_t)k->part->n_inputs + 1, sizeof *k->dims)))
        return no_memory(err);
    for (uint32_t i = 0; i < k->part->n_inputs; i++) {
        const struct tensor *t = k->part->inputs[i];

        k->dims[i][0] = t->rank;
        memcpy(&k->dims[i][1], t->dim, sizeof t->dim);
    }
    return ST_OK;
}

enum status plugin_make(struct plugin_kernel *k, struct reason *refused, struct err *err)
{
    struct delegate *d = k->owner->gpu;
    const struct graph *g = k->of->graph.graph;
    const uint32_t before = count_refused(g, refused);
    enum status st;

    if ((st = d->ops->init(d, g, k->part, refused, &k->kernel, err)) || (st = note_dims(k, err)))
        return st;
    if (count_refused(g, refused) == before)
        return d->ops->prepare(d, &k->kernel, 1, err);
    k->kernel->ops->free(k->kernel);
    k->kernel = NULL;
    return ST_OK;
}

static void parts_unref(struct plugin_parts *of)
{
    if (--of->users)
        return;
    plugin_graph_fini(&of->graph);
    arena_free(&of->arena);
    free(of);
}

void plugin_kernel_free(struct plugin_kernel *k)
{
    if (!k)
        return;
    if (k->kernel)
        k->kernel->ops->free(k->kernel);
    parts_unref(k->of);
    k->owner->users--; /* whoever frees kernels is a user too */
    free(k->dims);
    free(k);
}

static void free_all(struct plugin_kernel **ks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        plugin_kernel_free(ks[i]);
        ks[i] = NULL;
    }
}

static struct plugin_kernel *new_kernel(struct plugin *p, struct plugin_parts *of, const struct partition *part)
{
    struct plugin_kernel *k = calloc(1, sizeof *k);

    if (!k)
        return NULL;
    *k = (struct plugin_kernel){.owner = p, .of = of, .part = part};
    p->users++;
    of->users++;
    return k;
}

/* ---- dividing ---- */

/* The host sets variables to zero without telling: each run begins with what it has then. */
static void watch_variables(struct partition *part)
{
    for (uint32_t i = 0; i < part->n_inputs; i++)
        part->watched |= part->inputs[i]->is_variable;
}

static enum status divide(struct plugin *p, struct plugin_parts *of, const struct reason *refused, struct err *err)
{
    struct delegate *const ds[] = {p->gpu, NULL};
    const struct partition_options opt = partition_flags_options(&p->partition);
    struct claim *claims;
    enum status st;

    arena_free(&of->arena);
    if ((st = partition_ask(of->graph.graph, ds, refused, &of->arena, &claims, err)) ||
        (st = partition_claimed(of->graph.graph, claims, &opt, &of->arena, &of->parts, err)))
        return st;
    for (uint32_t i = 0; i < of->parts.n_parts; i++)
        watch_variables(&of->parts.parts[i]);
    return ST_OK;
}

static enum status make_all(struct plugin *p, struct plugin_parts *of, struct reason *refused, struct plugin_kernel **ks,
                            struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < of->parts.n_parts && !st; i++)
        st = (ks[i] = new_kernel(p, of, &of->parts.parts[i])) ? plugin_make(ks[i], refused, err) : no_memory(err);
    return st;
}

/* Each round but the last takes at least one node back. ks[graph nodes]: of->parts.n_parts of them are made. */
static enum status divide_and_make(struct plugin *p, struct plugin_parts *of, struct plugin_kernel **ks, struct err *err)
{
    struct reason *refused = calloc((size_t)of->graph.graph->n_nodes + 1, sizeof *refused);
    uint32_t before = 0, now = 0;
    enum status st = refused ? ST_OK : no_memory(err);

    while (!st) {
        before = now;
        if (!(st = divide(p, of, refused, err)))
            st = make_all(p, of, refused, ks, err);
        if (!st && (now = count_refused(of->graph.graph, refused)) == before)
            break;
        free_all(ks, of->parts.n_parts);
    }
    free(refused);
    return st;
}

/* ---- handing over ---- */

/* (*home)[graph nodes]: the partition that a node goes to, -1 for the host. A constant that only one partition reads goes with it:
 * the host need not compute it. Readers come behind what they read. */
static enum status find_homes(const struct plugin_parts *of, struct arena *a, int32_t **home, struct err *err)
{
    const struct graph *g = of->graph.graph;
    enum { NOBODY = -2, HOST = -1 };
    int32_t *reader = ARENA_ARRAY(a, g->n_tensors, int32_t);

    if (!(*home = ARENA_ARRAY(a, g->n_nodes, int32_t)) || !reader)
        return no_memory(err);
    for (uint32_t i = 0; i < g->n_tensors; i++)
        reader[i] = NOBODY;
    for (uint32_t i = 0; i < g->n_outputs; i++)
        reader[g->outputs[i]->index] = HOST;
    for (uint32_t i = g->n_nodes; i--;) {
        const struct node *n = &g->nodes[i];
        int32_t at = of->parts.part_of[i];

        if (n->folded) {
            at = n->n_out ? reader[n->out[0]->index] : HOST;
            for (uint32_t k = 1; k < n->n_out; k++)
                at = reader[n->out[k]->index] == at ? at : HOST;
        }
        (*home)[i] = at = at == NOBODY ? HOST : at;
        for (uint32_t k = 0; k < n->n_in; k++)
            if (n->in[k])
                reader[n->in[k]->index] = reader[n->in[k]->index] == NOBODY || reader[n->in[k]->index] == at ? at : (int32_t)HOST;
    }
    return ST_OK;
}

static enum status hand_over_one(struct plugin *p, struct plugin_kernel *k, struct tflite_int_array *list, struct err *err)
{
    const struct node *first = k->part->nodes[0];

    p->expected = k;
    if (p->now->replace_node_subsets(p->now, plugin_registration, list, &p->head))
        return err_set(err, ST_FAILED, "the host does not take the partition of node %u %s", first->index, first->name);
    if (p->expected)
        return err_set(err, ST_FAILED, "the host made nothing of the partition of node %u %s", first->index, first->name);
    return ST_OK;
}

/* Those that the host has taken are NULL afterwards. */
static enum status hand_over(struct plugin *p, struct plugin_parts *of, struct plugin_kernel **ks, struct err *err)
{
    const struct graph *g = of->graph.graph;
    struct arena scratch = {0};
    struct tflite_int_array *list = arena_alloc(&scratch, 1, sizeof *list + g->n_nodes * sizeof list->data[0]);
    int32_t *home = NULL;
    enum status st = list ? find_homes(of, &scratch, &home, err) : no_memory(err);

    for (uint32_t i = 0; i < of->parts.n_parts && !st; i++) {
        list->size = 0;
        for (uint32_t k = 0; k < g->n_nodes; k++)
            if (home[k] == (int32_t)i)
                list->data[list->size++] = of->graph.host_node[g->nodes[k].index];
        st = hand_over_one(p, ks[i], list, err);
        if (!p->expected)
            ks[i] = NULL;
        p->expected = NULL;
    }
    arena_free(&scratch);
    return st;
}

static void say(const struct plugin *p, const struct plugin_parts *of)
{
    const struct graph *g = of->graph.graph;
    struct tflite_context *c = p->now;

    if (!c->report_error || p->log < PLUGIN_LOG_SUMMARY)
        return;
    c->report_error(c, "Delegauge GPU delegate (%s): %u nodes delegated out of %u nodes with %u partitions.", p->gpu->device,
                    of->parts.n_delegated, g->n_nodes, of->parts.n_parts);
    for (uint32_t i = 0; i < g->n_nodes && p->log >= PLUGIN_LOG_NODES; i++)
        if (of->parts.reasons[i].code != REASON_NONE)
            c->report_error(c, "node %d %s stays on the CPU: %s: %s", of->graph.host_node[g->nodes[i].index], g->nodes[i].name,
                            reason_name(of->parts.reasons[i].code), of->parts.reasons[i].text);
}

static enum status identify(const struct plugin *p, struct plugin_graph *g, struct err *err)
{
    bool known;
    enum status st = plugin_graph_identify(g, &known, err);

    if (!st && !known)
        delegate_warn(p->gpu, "the start of this graph is not stored: it has options that cannot be told apart");
    return st;
}

/* fp32_nodes and their like count in the first graph that is seen. */
static enum status take(struct plugin *p, struct plugin_parts *of, struct err *err)
{
    struct plugin_kernel **ks;
    enum status st = plugin_graph_read(p->now, &of->graph, err);

    if (st)
        return st;
    if (!p->first)
        p->first = p->now;
    if (p->stores && (st = identify(p, &of->graph, err)))
        return st;
    of->graph.graph->subgraph = p->now == p->first ? 0 : 1;
    if (!(ks = calloc((size_t)of->graph.graph->n_nodes + 1, sizeof *ks)))
        return no_memory(err);
    if (!(st = divide_and_make(p, of, ks, err))) {
        say(p, of);
        st = hand_over(p, of, ks, err);
        free_all(ks, of->parts.n_parts);
    }
    free(ks);
    return st;
}

enum status plugin_take(struct plugin *p, struct tflite_context *c, struct err *err)
{
    struct plugin_parts *of = calloc(1, sizeof *of);
    enum status st;

    if (!of)
        return no_memory(err);
    of->users = 1;
    p->now = c;
    st = take(p, of, err);
    parts_unref(of);
    return st;
}
