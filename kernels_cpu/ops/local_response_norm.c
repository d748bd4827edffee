/* SPDX-License-Identifier: Apache-2.0 */
/* local_response_norm.c - LOCAL_RESPONSE_NORMALIZATION: each value is scaled by the energy of its neighbouring channels. */
#include <math.h>

#include "lib/graph/kernel.h"

static enum status lrn_shape(struct node *n, struct err *err)
{
    if (n->in[0]->rank != 4)
        return err_set(err, ST_BAD_MODEL, "the input must have rank 4, not %d", (int)n->in[0]->rank);
    return shape_like(n, 0, n->in[0], err);
}

static void lrn_pixels(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *call = arg;
    const struct opt_local_response_normalization *o = call->node->opt;
    const struct tensor *in = call->node->in[0];
    int64_t depth = in->dim[3];

    for (size_t p = begin; p < end; p++) {
        const float *x = (const float *)in->data + p * (size_t)depth;
        float *y = (float *)call->node->out[0]->data + p * (size_t)depth;

        for (int64_t c = 0; c < depth; c++) {
            /* The window's far end is one short of symmetric, as it is in TFLite. */
            int64_t first = c > o->radius ? c - o->radius : 0, last = c + o->radius;
            float energy = 0;

            last = last < depth ? last : depth;
            for (int64_t i = first; i < last; i++)
                energy += x[i] * x[i];
            y[c] = x[c] * powf(o->bias + o->alpha * energy, -o->beta);
        }
    }
}

static void lrn_run(struct cpu_call *c)
{
    const struct tensor *in = c->node->in[0];

    if (in->dim[3])
        threads_for(c->threads, tensor_elems(in) / (size_t)in->dim[3], 64, lrn_pixels, c);
}

const struct cpu_kernel cpu_local_response_norm = {
    .arity = {1, 1, 1}, .shape = lrn_shape, .in = {CPU_F32}, .out = {CPU_F32}, .compute = lrn_run};
