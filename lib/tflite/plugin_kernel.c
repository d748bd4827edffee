/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_kernel.c - the functions that the host calls for a partition. */
#include "lib/tflite/plugin.h"

#include <stdlib.h>
#include <string.h>

/* ---- init ---- */

static bool has_tensor(struct tensor *const *list, uint32_t n, int index)
{
    for (uint32_t i = 0; i < n; i++)
        if ((int)list[i]->index == index)
            return true;
    return false;
}

/* The host may have other ideas of what is read outside. */
static enum status check_params(const struct plugin_kernel *k, const struct tflite_delegate_params *params, struct err *err)
{
    const struct tflite_int_array *out = params->output_tensors;

    for (int i = 0; out && i < out->size; i++)
        if (!has_tensor(k->part->outputs, k->part->n_outputs, out->data[i]) && !k->of->graph.graph->tensors[out->data[i]].is_const)
            return err_set(err, ST_FAILED, "the host reads tensor %d, which the partition of node %d keeps to itself", out->data[i],
                           k->is.first);
    return ST_OK;
}

/* Where the kernel of these nodes is expected; NULL: nowhere. */
static struct plugin_kernel **find_expected(const struct plugin *p, const struct tflite_delegate_params *params)
{
    for (uint32_t i = 0; i < p->n_expected; i++)
        if (p->expected[i] && params->nodes_to_replace->size == p->expected[i]->is.n &&
            params->nodes_to_replace->data[0] == p->expected[i]->is.first)
            return &p->expected[i];
    return NULL;
}

/* NULL is a failure to the host and to the functions below. */
static void *kernel_init(struct tflite_context *c, const char *data, size_t bytes)
{
    const struct tflite_delegate_params *params = (const void *)data;
    struct plugin *p = params->delegate->data_;
    struct plugin_kernel **at, *k = NULL;
    struct err err;
    enum status st;

    (void)bytes;
    plugin_enter(p, c);
    if (!(at = find_expected(p, params)))
        st = err_set(&err, ST_FAILED, "the host made another subset of nodes than it had said");
    else
        st = check_params(*at, params, &err);
    if (st) {
        plugin_fail(c, st, &err);
    } else {
        k = *at;
        *at = NULL;
    }
    plugin_leave(p);
    return k;
}

static void kernel_free(struct tflite_context *c, void *user_data)
{
    struct plugin_kernel *k = user_data;
    struct plugin *p;

    if (!k)
        return;
    p = k->owner;
    plugin_enter(p, c);
    p->users++; /* until it is left */
    plugin_kernel_free(k, c);
    plugin_leave(p);
    plugin_unref(p);
}

/* ---- prepare ---- */

static bool shapes_changed(const struct plugin_kernel *k, const struct tflite_context *c)
{
    if (!k->kernel)
        return k->part->n_nodes > 0;
    for (uint32_t i = 0; i < k->part->n_inputs; i++) {
        const struct tflite_int_array *now = c->tensors[k->part->inputs[i]->index].dims;

        if (now->size != k->dims[i][0] || memcmp(now->data, &k->dims[i][1], (size_t)now->size * sizeof now->data[0]) != 0)
            return true;
    }
    return false;
}

/* Asks once more about the partition's nodes, which have other shapes. */
static enum status claim_again(struct plugin_kernel *k, struct err *err)
{
    const struct graph *g = k->of->graph.graph;
    struct delegate *d = k->owner->gpu;
    struct claim *claims = calloc((size_t)g->n_nodes + 1, sizeof *claims);
    enum status st;

    if (!claims)
        return err_set(err, ST_NOMEM, "out of memory");
    for (uint32_t i = 0; i < g->n_nodes; i++)
        claims[i].barred = true;
    for (uint32_t i = 0; i < k->part->n_nodes; i++)
        claims[k->part->nodes[i] - g->nodes].barred = false;
    st = d->ops->claim(d, g, claims, err);
    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        if (!claims[i].barred && !claims[i].owner)
            st = node_err(&g->nodes[i], err_set(err, ST_UNSUPPORTED, "not on the GPU with these shapes: %s", claims[i].why.text),
                          err);
    free(claims);
    return st;
}

static enum status make_for_shapes(struct plugin_kernel *k, struct err *err)
{
    const struct graph *g = k->of->graph.graph;
    struct reason *refused = calloc((size_t)g->n_nodes + 1, sizeof *refused);
    enum status st = refused ? claim_again(k, err) : err_set(err, ST_NOMEM, "out of memory");

    if (!st)
        st = plugin_make(k, refused, err);
    for (uint32_t i = 0; i < g->n_nodes && !st && !k->kernel; i++)
        if (refused[i].code != REASON_NONE)
            st = err_set(err, ST_UNSUPPORTED, "node %u: the driver refuses it with these shapes: %s", i, refused[i].text);
    free(refused);
    return st;
}

/* The host does not take back what it gave: so the CPU runs here what the GPU does not take with these shapes. */
static enum status make_again(struct plugin_kernel *k, struct tflite_context *c, struct err *err)
{
    enum status st;

    plugin_buffers_free(k, c);
    free(k->bound);
    k->bound = NULL;
    if (k->kernel)
        k->kernel->ops->free(k->kernel);
    k->kernel = NULL;
    k->on_cpu = false;
    if ((st = plugin_graph_reshape(&k->of->graph, c, k->part->nodes, k->part->n_nodes, err)))
        return st;
    st = make_for_shapes(k, err);
    k->on_cpu = st == ST_UNSUPPORTED && plugin_cpu_can(k);
    if (!k->on_cpu)
        return st;
    if (c->report_error && k->owner->log >= PLUGIN_LOG_SUMMARY)
        c->report_error(c, "Delegauge GPU delegate: the CPU runs the partition of node %d: %s", k->is.first, err->msg);
    return ST_OK;
}

/* The host allocates what it now knows the shapes of. */
static enum status resize_outputs(const struct plugin_kernel *k, struct tflite_context *c, struct err *err)
{
    for (uint32_t i = 0; i < k->part->n_outputs; i++) {
        const struct tensor *t = k->part->outputs[i];
        struct tflite_int_array *dims;

        if (t->is_variable || plugin_same_shape(t, &c->tensors[t->index]))
            continue;
        if (!(dims = malloc(sizeof *dims + (size_t)t->rank * sizeof dims->data[0])))
            return err_set(err, ST_NOMEM, "out of memory");
        dims->size = t->rank;
        memcpy(dims->data, t->dim, (size_t)t->rank * sizeof t->dim[0]);
        if (c->resize_tensor(c, &c->tensors[t->index], dims))
            return err_set(err, ST_FAILED, "the host does not make tensor %u a %s", t->index, TENSOR_TEXT(t));
    }
    return ST_OK;
}

static enum tflite_status kernel_prepare(struct tflite_context *c, struct tflite_node *n)
{
    struct plugin_kernel *k = n->user_data;
    enum status st = ST_OK;
    struct plugin *p;
    struct err err;

    if (!k)
        return TFLITE_DELEGATE_ERROR;
    p = k->owner;
    plugin_enter(p, c);
    if (shapes_changed(k, c))
        st = make_again(k, c, &err);
    if (!st)
        st = resize_outputs(k, c, &err);
    if (!st)
        st = plugin_buffers_make(k, c, &err);
    plugin_leave(p);
    return plugin_fail(c, st, &err);
}

/* ---- invoke ---- */

/* Where the host has the tensors may change from run to run. What is in a buffer[n] needs no memory. */
static enum status lend(struct tensor *const *list, const uint32_t *buffer, uint32_t n, const struct tflite_context *c,
                        struct err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct tflite_tensor *from = &c->tensors[list[i]->index];

        if (from->bytes != list[i]->bytes || (!from->data && from->bytes && !buffer[i]))
            return err_set(err, ST_FAILED, "tensor %u \"%.80s\" has %zu bytes%s, not %zu", list[i]->index, list[i]->name,
                           from->bytes, from->data ? "" : " nowhere", list[i]->bytes);
        list[i]->data = from->data;
    }
    return ST_OK;
}

static enum status run_on_cpu(struct plugin_kernel *k, const struct tflite_context *c, struct err *err)
{
    const uint32_t n = k->part->n_inputs + k->part->n_outputs;
    enum status st = ST_OK;

    if (!k->bound && !(k->bound = calloc((size_t)n + 1, sizeof *k->bound)))
        return err_set(err, ST_NOMEM, "out of memory for the names of %u buffers", n);
    if ((st = plugin_buffers_fetch(k, c, err)) || (st = lend(k->part->inputs, k->bound, k->part->n_inputs, c, err)) ||
        (st = lend(k->part->outputs, k->bound + k->part->n_inputs, k->part->n_outputs, c, err)))
        return st;
    return plugin_cpu_run(k, err);
}

static enum tflite_status kernel_invoke(struct tflite_context *c, struct tflite_node *n)
{
    struct plugin_kernel *k = n->user_data;
    struct plugin *p;
    struct err err;
    enum status st;

    if (!k)
        return TFLITE_DELEGATE_ERROR;
    p = k->owner;
    plugin_enter(p, c);
    if (!k->part->n_nodes)
        st = ST_OK;
    else if (k->on_cpu)
        st = run_on_cpu(k, c, &err);
    else if (!k->kernel)
        st = err_set(&err, ST_FAILED, "the partition of node %u could not be made ready", k->part->nodes[0]->index);
    else if (!(st = plugin_buffers_bind(k, c, &err)) && !(st = lend(k->part->inputs, k->bound, k->part->n_inputs, c, &err)) &&
             !(st = lend(k->part->outputs, k->bound + k->part->n_inputs, k->part->n_outputs, c, &err)) &&
             !(st = k->kernel->ops->invoke(k->kernel, &err)))
        plugin_buffers_written(k, c);
    plugin_leave(p);
    return plugin_fail(c, st, &err);
}

const struct tflite_registration plugin_registration = {
    .init = kernel_init,
    .free = kernel_free,
    .prepare = kernel_prepare,
    .invoke = kernel_invoke,
    .builtin_code = BUILTIN_DELEGATE,
    .custom_name = "DelegaugeGpuDelegate",
    .version = 1,
};
