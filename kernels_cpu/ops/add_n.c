/* SPDX-License-Identifier: Apache-2.0 */
/* add_n.c - ADD_N: the sum of any number of tensors of one shape, added from first to last. */
#include <string.h>

#include "kernels_cpu/common/map.h"
#include "kernels_cpu/quant/fused_activation.h"

static enum status add_n_shape(struct node *n, struct err *err)
{
    for (uint32_t i = 1; i < n->n_in; i++) {
        if (!n->in[i])
            return err_set(err, ST_BAD_MODEL, "input %u is omitted", i);
        if (!tensor_same_shape(n->in[0], n->in[i]) || n->in[i]->type != n->in[0]->type)
            return err_set(err, ST_BAD_MODEL, "inputs 0 and %u differ: %s and %s", i, TENSOR_TEXT(n->in[0]), TENSOR_TEXT(n->in[i]));
    }
    return shape_same(n, err);
}

static enum status add_n_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];

    return x->type == TYPE_FLOAT32 || x->type == TYPE_INT32 ? map_types(c->node, err) : cpu_bad_type(c->node, x, err);
}

/* All inputs go over one piece before the next, so that the sums stay in the cache. */
static void add_n_piece(void *arg, size_t begin, size_t end)
{
    const struct node *n = arg;
    const bool is_float = n->in[0]->type == TYPE_FLOAT32;
    const struct range_f32 finite = {-FLT_MAX, FLT_MAX}; /* each sum: TFLite adds as ADD does */
    char *out = (char *)n->out[0]->data + 4 * begin;

    memcpy(out, (const char *)n->in[0]->data + 4 * begin, 4 * (end - begin));
    for (uint32_t k = 1; k < n->n_in; k++) {
        const char *in = (const char *)n->in[k]->data + 4 * begin;

        if (is_float)
            for (size_t i = 0; i < end - begin; i++)
                ((float *)out)[i] = activation_clamp(((float *)out)[i] + ((const float *)in)[i], finite);
        else
            for (size_t i = 0; i < end - begin; i++)
                ((uint32_t *)out)[i] += ((const uint32_t *)in)[i];
    }
}

static void add_n_run(struct cpu_call *c)
{
    threads_for(c->threads, tensor_elems(c->node->out[0]), MAP_GRAIN, add_n_piece, c->node);
}

const struct cpu_kernel cpu_add_n = {
    .arity = {1, UINT32_MAX, 1}, .shape = add_n_shape, .prepare = add_n_prepare, .compute = add_n_run};
