/* SPDX-License-Identifier: Apache-2.0 */
/* densify.c - DENSIFY: a sparse constant made dense.
 *
 * The loader has checked the metadata: levels fit the shape, indices and segments are in range, and there are as many values
 * as the walk over the levels meets. */
#include "kernels_cpu/ops/densify.h"

#include <string.h>

#include "kernels_cpu/common/move.h"

static enum status densify_prepare(struct cpu_call *c, struct err *err)
{
    if (type_bits(c->node->in[0]->type) < 8)
        return cpu_bad_type(c->node, c->node->in[0], err);
    return move_prepare(c, err);
}

struct walk {
    const struct sparsity *s;
    size_t stride[2 * TENSOR_MAX_RANK]; /* in the dense tensor, of each of the tensor's dimensions, then of each block */
    size_t bytes;                       /* of one element */
    const uint8_t *x;
    uint8_t *y;
};

static void set_strides(struct walk *w, const struct tensor *t)
{
    ptrdiff_t row[TENSOR_MAX_RANK];

    move_strides(t->dim, t->rank, row);
    for (int32_t i = 0; i < t->rank; i++)
        w->stride[i] = (size_t)row[i];
    /* A block's inside takes over the dimension's stride; the dimension itself now steps over blocks. */
    for (uint32_t i = w->s->n_block_map; i-- > 0;) {
        size_t *dim = &w->stride[w->s->block_map[i]];
        uint32_t level = (uint32_t)t->rank + i;

        w->stride[level] = *dim;
        *dim *= (size_t)w->s->dims[level].dense_size;
    }
}

static size_t index_at(const void *data, uint8_t bytes, size_t i)
{
    switch (bytes) {
    case 1: return ((const uint8_t *)data)[i];
    case 2: return ((const uint16_t *)data)[i];
    default: return (size_t)((const int32_t *)data)[i];
    }
}

/* Copy the elements below position `at` of a level; `to` is the dense element at that position. */
static void copy_level(const struct walk *w, uint32_t level, size_t at, size_t to)
{
    const struct sparse_dim *d = &w->s->dims[level];
    size_t stride, end;

    if (level == w->s->n_dims) {
        memcpy(w->y + to * w->bytes, w->x + at * w->bytes, w->bytes);
        return;
    }
    stride = w->stride[w->s->traversal_order[level]];
    if (!d->csr) {
        for (size_t i = 0; i < (size_t)d->dense_size; i++)
            copy_level(w, level + 1, at * (size_t)d->dense_size + i, to + i * stride);
        return;
    }
    end = index_at(d->segments, d->segments_bytes, at + 1);
    for (size_t i = index_at(d->segments, d->segments_bytes, at); i < end; i++)
        copy_level(w, level + 1, i, to + index_at(d->indices, d->indices_bytes, i) * stride);
}

void densify(const struct tensor *x, void *dense)
{
    struct walk w = {.s = x->sparsity, .bytes = type_bits(x->type) / 8, .x = x->data, .y = dense};

    if (!x->bytes)
        return;
    memset(dense, 0, x->bytes);
    set_strides(&w, x);
    copy_level(&w, 0, 0, 0);
}

static void densify_run(struct cpu_call *c)
{
    const struct tensor *x = c->node->in[0];
    struct tensor *y = c->node->out[0];

    if (x->sparsity)
        densify(x, y->data);
    else if (x->bytes)
        memcpy(y->data, x->data, x->bytes);
}

const struct cpu_kernel cpu_densify = {
    .arity = {1, 1, 1}, .shape = shape_same, .prepare = densify_prepare, .compute = densify_run, .reads_sparse = true};
