/* SPDX-License-Identifier: Apache-2.0 */
/* half_store.c - floats as halves keep them. */
#include "lib/graph/half_store.h"

#include <math.h>
#include <string.h>

static float rounded(float f)
{
    return half_to_float(half_from_float(f));
}

void half_store_floats(float *f, size_t n)
{
    for (size_t i = 0; i < n; i++)
        f[i] = rounded(f[i]);
}

void half_store(struct tensor *t)
{
    if (t && t->type == TYPE_FLOAT32 && t->data && !t->is_const && !t->stays_float32)
        half_store_floats(t->data, tensor_elems(t));
}

void half_store_node(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_out; i++)
        half_store(n->out[i]);
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->is_variable)
            half_store(n->in[i]);
}

/* Whether rounding changes any of them and makes none infinite that is finite. */
static bool to_be_rounded(const float *f, size_t n)
{
    bool changes = false;

    for (size_t i = 0; i < n; i++) {
        const float h = rounded(f[i]);

        if (isinf(h) && isfinite(f[i]))
            return false;
        changes |= h != f[i] && !isnan(f[i]);
    }
    return changes;
}

static bool is_stored_as_half(const struct tensor *t)
{
    return t->is_const && t->data && t->type == TYPE_FLOAT32 && !t->sparsity && !t->stays_float32;
}

enum status half_store_constants(struct graph *g, struct arena *a, struct err *err)
{
    for (uint32_t i = 0; i < g->n_tensors; i++) {
        struct tensor *t = &g->tensors[i];
        const size_t n = is_stored_as_half(t) ? tensor_elems(t) : 0;
        float *copy;

        if (!n || !to_be_rounded(t->data, n))
            continue;
        if (!(copy = ARENA_ARRAY(a, n, float)))
            return err_set(err, ST_NOMEM, "out of memory for %zu rounded constants of \"%s\"", n, t->name);
        memcpy(copy, t->data, n * sizeof *copy);
        half_store_floats(copy, n);
        t->data = copy;
    }
    return ST_OK;
}
