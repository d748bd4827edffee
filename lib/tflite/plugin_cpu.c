/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_cpu.c - runs a partition on the CPU when the host gives it shapes that the GPU does not take: it cannot be handed back. */
#include "lib/base/threads.h"
#include "lib/graph/kernel.h"
#include "lib/tflite/plugin.h"

/* What keeps something, or looks at more than its node, needs a session. */
static bool runs_alone(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && (n->in[i]->is_variable || n->in[i]->type == TYPE_RESOURCE || n->in[i]->quant.block_size))
            return false;
    return n->op && !n->op->cpu->stateful && !n->op->cpu->reads_model && n->version <= n->op->max_version;
}

bool plugin_cpu_can(const struct plugin_kernel *k)
{
    for (uint32_t i = 0; i < k->part->n_nodes; i++)
        if (!runs_alone(k->part->nodes[i]))
            return false;
    return k->part->n_nodes > 0;
}

/* Room for what goes from one node to the next. */
static enum status place(const struct node *n, struct arena *a, struct err *err)
{
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && !n->out[i]->data && n->out[i]->bytes && !(n->out[i]->data = arena_alloc(a, n->out[i]->bytes, 64)))
            return err_set(err, ST_NOMEM, "out of memory for %s", TENSOR_TEXT(n->out[i]));
    return ST_OK;
}

static void take_away(const struct partition *part)
{
    for (uint32_t i = 0; i < part->n_nodes; i++)
        for (uint32_t k = 0; k < part->nodes[i]->n_out; k++)
            if (part->nodes[i]->out[k])
                part->nodes[i]->out[k]->data = NULL;
}

enum status plugin_cpu_run(const struct plugin_kernel *k, struct err *err)
{
    struct threads *threads;
    struct arena a = {0};
    enum status st = threads_new(1, &threads, err);

    if (st)
        return st;
    for (uint32_t i = 0; i < k->part->n_nodes && !st; i++) {
        struct cpu_call call = {.node = k->part->nodes[i], .threads = threads, .mode = CPU_REFERENCE};

        if (!(st = place(call.node, &a, err)))
            st = node_err_if(call.node, cpu_run_once(&call, err), err);
    }
    take_away(k->part);
    arena_free(&a);
    threads_free(threads);
    return st;
}
