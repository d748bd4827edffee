/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_parts.c - partitions a host's graph and makes all kernels before the host is told.
 *
 * Our own partitioning, with all its limits, decides which nodes are taken; the host decides how they are grouped, and may cut
 * where ours would not. Since kernels are made first, a node that the driver refuses can still stay with the host. */
#include "lib/tflite/plugin.h"

#include <stdarg.h>
#include <stdio.h>
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

void plugin_kernel_free(struct plugin_kernel *k, struct tflite_context *c)
{
    if (!k)
        return;
    plugin_buffers_free(k, c);
    if (k->kernel)
        k->kernel->ops->free(k->kernel);
    parts_unref(k->of);
    k->owner->users--; /* whoever frees kernels is a user too */
    free(k->dims);
    free(k->bound);
    free(k->made);
    free(k);
}

static void free_all(struct plugin_kernel **ks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        plugin_kernel_free(ks[i], NULL);
        ks[i] = NULL;
    }
}

static struct plugin_kernel *new_kernel(struct plugin *p, struct plugin_parts *of, uint32_t i)
{
    struct plugin_kernel *k = calloc(1, sizeof *k);

    if (!k)
        return NULL;
    *k = (struct plugin_kernel){.owner = p, .of = of, .part = &of->parts.parts[i], .is = of->subsets[i]};
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

/* taken[graph nodes]: what goes to the delegate. A constant that nobody but its nodes reads goes with them: the host need not
 * compute it. Readers come behind what they read. */
static enum status find_taken(const struct plugin_parts *of, struct arena *a, bool **taken, struct err *err)
{
    const struct graph *g = of->graph.graph;
    bool *by_host = ARENA_ARRAY(a, g->n_tensors, bool), *read = ARENA_ARRAY(a, g->n_tensors, bool);

    if (!(*taken = ARENA_ARRAY(a, g->n_nodes, bool)) || !by_host || !read)
        return no_memory(err);
    for (uint32_t i = 0; i < g->n_outputs; i++)
        by_host[g->outputs[i]->index] = true;
    for (uint32_t i = g->n_nodes; i--;) {
        const struct node *n = &g->nodes[i];
        bool ours = of->parts.part_of[i] >= 0 || (n->folded && n->n_out);

        for (uint32_t k = 0; k < n->n_out && n->folded; k++)
            ours &= n->out[k] && read[n->out[k]->index] && !by_host[n->out[k]->index];
        (*taken)[i] = ours;
        for (uint32_t k = 0; k < n->n_in; k++)
            if (n->in[k]) {
                read[n->in[k]->index] = true;
                by_host[n->in[k]->index] |= !ours;
            }
    }
    return ST_OK;
}

static bool has_node(const struct tflite_int_array *list, int node)
{
    for (int i = 0; i < list->size; i++)
        if (list->data[i] == node)
            return true;
    return false;
}

/* What the host will read of a subset is an output of the graph to us, though no node of the graph reads it: it may ask for a
 * shape, or not know who does. */
static enum status note_read(struct plugin_parts *of, const struct tflite_int_array *out, struct err *err)
{
    struct graph *g = of->graph.graph;

    for (int i = 0; out && i < out->size; i++) {
        struct tensor **more;
        bool known = false;

        if (out->data[i] < 0 || (uint32_t)out->data[i] >= g->n_tensors)
            return err_set(err, ST_BAD_MODEL, "the host reads tensor %d of %u", out->data[i], g->n_tensors);
        for (uint32_t k = 0; k < g->n_outputs && !known; k++)
            known = g->outputs[k] == &g->tensors[out->data[i]];
        if (known)
            continue;
        if (!(more = ARENA_ARRAY(&of->graph.arena, (size_t)g->n_outputs + 1, struct tensor *)))
            return no_memory(err);
        memcpy(more, g->outputs, g->n_outputs * sizeof(struct tensor *));
        more[g->n_outputs++] = &g->tensors[out->data[i]];
        g->outputs = more;
    }
    return ST_OK;
}

/* Groups the nodes as the host will: of->parts anew, in place of our own. */
static enum status group(struct plugin *p, struct plugin_parts *of, const struct tflite_delegate_params *subsets, uint32_t n,
                         struct err *err)
{
    const struct graph *g = of->graph.graph;
    struct plugin_subset *is = ARENA_ARRAY(&of->arena, n, struct plugin_subset);
    struct partition *parts = ARENA_ARRAY(&of->arena, n, struct partition);
    enum status st;

    if (!is || !parts)
        return no_memory(err);
    for (uint32_t k = 0; k < n; k++) {
        const struct tflite_int_array *list = subsets[k].nodes_to_replace;

        if ((st = note_read(of, subsets[k].output_tensors, err)))
            return st;
        is[k] = (struct plugin_subset){list->size ? list->data[0] : -1, list->size};
        parts[k].delegate = p->gpu;
        if (!(parts[k].nodes = ARENA_ARRAY(&of->arena, (size_t)list->size + 1, struct node *)))
            return no_memory(err);
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t k = 0;

        if (of->parts.part_of[i] < 0)
            continue;
        while (k < n && !has_node(subsets[k].nodes_to_replace, of->graph.host_node[g->nodes[i].index]))
            k++;
        if (k == n)
            return err_set(err, ST_BAD_MODEL, "the host forgets node %u %s", g->nodes[i].index, g->nodes[i].name);
        parts[k].nodes[parts[k].n_nodes++] = &g->nodes[i];
        of->parts.part_of[i] = (int32_t)k;
    }
    of->parts.parts = parts;
    of->parts.n_parts = n;
    of->subsets = is;
    return partition_borders(g, &of->parts, &of->arena, err);
}

static enum status ask_host(struct plugin *p, struct plugin_parts *of, struct err *err)
{
    const struct graph *g = of->graph.graph;
    struct tflite_delegate_params *subsets = NULL;
    struct tflite_context *c = p->now;
    bool *taken;
    int n = 0;
    enum status st = find_taken(of, &of->arena, &taken, err);

    if (st)
        return st;
    if (!(of->list = arena_alloc(&of->arena, 1, sizeof *of->list + g->n_nodes * sizeof of->list->data[0])))
        return no_memory(err);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (taken[i] && of->parts.n_delegated)
            of->list->data[of->list->size++] = of->graph.host_node[g->nodes[i].index];
    if (of->list->size && (c->preview_delegate_partitioning(c, of->list, &subsets, &n) || n < 1))
        return err_set(err, ST_BAD_MODEL, "the host cannot say how it would partition the graph");
    return group(p, of, subsets, (uint32_t)n, err);
}

static enum status divide(struct plugin *p, struct plugin_parts *of, const struct reason *refused, struct err *err)
{
    struct delegate *const ds[] = {p->gpu, NULL};
    const struct partition_options opt = partition_flags_options(&p->partition);
    struct claim *claims;
    enum status st;

    arena_free(&of->arena);
    if ((st = partition_ask(of->graph.graph, ds, refused, &of->arena, &claims, err)))
        return st;
    st = partition_claimed(of->graph.graph, claims, &opt, &of->arena, &of->parts, err);
    if (st == ST_USAGE && !strncmp(err->msg, "--", 2)) /* keys of the host's have no dashes */
        memmove(err->msg, err->msg + 2, strlen(err->msg + 2) + 1);
    if (st || (st = ask_host(p, of, err)))
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
        st = !(ks[i] = new_kernel(p, of, i)) ? no_memory(err) : ks[i]->part->n_nodes ? plugin_make(ks[i], refused, err) : ST_OK;
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

/* Those that the host has taken are NULL afterwards. */
static enum status hand_over(struct plugin *p, struct plugin_parts *of, struct plugin_kernel **ks, struct err *err)
{
    enum status st = ST_OK;

    p->expected = ks;
    p->n_expected = of->parts.n_parts;
    if (of->list->size && p->now->replace_node_subsets(p->now, plugin_registration, of->list, &p->head))
        st = err_set(err, ST_FAILED, "the host does not take the nodes");
    p->expected = NULL;
    p->n_expected = 0;
    for (uint32_t i = 0; i < of->parts.n_parts && !st; i++)
        if (ks[i])
            st = err_set(err, ST_FAILED, "the host made nothing of the partition of node %d", ks[i]->is.first);
    return st;
}

__attribute__((format(printf, 2, 3))) static void say_line(const struct plugin *p, const char *format, ...)
{
    char line[512];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (p->log_to == PLUGIN_TO_STDERR)
        fprintf(stderr, "%s\n", line);
    else if (p->now->report_error)
        p->now->report_error(p->now, "%s", line);
}

static void say(const struct plugin *p, const struct plugin_parts *of)
{
    const struct graph *g = of->graph.graph;

    if (p->log < PLUGIN_LOG_SUMMARY)
        return;
    say_line(p, "Delegauge GPU delegate (%s): %u nodes delegated out of %u nodes with %u partitions.", p->gpu->device,
             of->parts.n_delegated, g->n_nodes, of->parts.n_parts);
    for (uint32_t i = 0; i < g->n_nodes && p->log >= PLUGIN_LOG_NODES; i++)
        if (of->parts.reasons[i].code != REASON_NONE)
            say_line(p, "node %d %s stays on the CPU: %s: %s", of->graph.host_node[g->nodes[i].index], g->nodes[i].name,
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
        st = p->gpu->ops->divided ? p->gpu->ops->divided(p->gpu, of->graph.graph, &of->parts, err) : ST_OK;
        st = st ? st : hand_over(p, of, ks, err);
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
