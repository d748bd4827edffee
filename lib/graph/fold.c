/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - nodes whose inputs are all constant are run once by their CPU kernel, where the result is not much larger. */
#include "lib/graph/fold.h"
#include "lib/graph/kernel.h"

/* Results up to this size are always worth keeping; larger ones only where they stay near the size of the inputs, so that a
 * small file cannot ask for a huge constant. 4 covers int8 and float16 weights becoming float32. */
#define SMALL_BYTES 65536
#define MAX_GROWTH  4

static bool foldable(const struct node *n)
{
    size_t in = 0, out = 0;

    if (!n->op || n->op->cpu->stateful || n->op->cpu->reads_model || !n->n_out || n->version > n->op->max_version)
        return false;
    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct tensor *t = n->in[i];

        if (t && !t->is_const && !n->op->cpu->reads_shape_only)
            return false;
        if (t && __builtin_add_overflow(in, t->bytes, &in))
            return false;
    }
    for (uint32_t i = 0; i < n->n_out; i++) {
        if (!n->out[i] || !type_bits(n->out[i]->type))
            return false;
        if (__builtin_add_overflow(out, n->out[i]->bytes, &out))
            return false;
    }
    return out <= SMALL_BYTES || out / MAX_GROWTH <= in;
}

enum status node_fold(struct graph *g, struct node *n, struct err *err)
{
    struct cpu_call call = {.node = n, .mode = CPU_REFERENCE};
    enum status st;

    if (!foldable(n))
        return ST_OK;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (!(n->out[i]->data = arena_alloc(&g->folded, n->out[i]->bytes, 1)))
            return node_err(n, err_set(err, ST_NOMEM, "out of memory for %s", TENSOR_TEXT(n->out[i])), err);
    if ((st = threads_new(1, &call.threads, err)))
        return st;
    n->folded = cpu_run_once(&call, NULL) == ST_OK;
    threads_free(call.threads);
    for (uint32_t i = 0; i < n->n_out; i++) {
        if (!n->folded)
            n->out[i]->data = NULL;
        n->out[i]->is_const = n->out[i]->is_known = n->folded;
    }
    return ST_OK;
}
