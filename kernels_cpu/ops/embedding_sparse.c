/* SPDX-License-Identifier: Apache-2.0 */
/* embedding_sparse.c - EMBEDDING_LOOKUP_SPARSE: weighted rows of a table, combined by bucket. */
#include <math.h>
#include <string.h>

#include "kernels_cpu/common/move.h"
#include "lib/graph/macs.h"

/* Inputs: ids[n], indices[n, rank], the dense shape[rank], weights[n], table[rows, ...]. The last number of an index counts
 * within a bucket; the others name the bucket. */
static enum status sparse_shape(struct node *n, struct err *err)
{
    int32_t dim[2 * TENSOR_MAX_RANK], rank;
    const struct tensor *table = n->in[4];
    uint32_t count;
    enum status st;

    if (n->in[0]->rank != 1 || n->in[1]->rank != 2 || n->in[2]->rank != 1 || n->in[3]->rank != 1 || table->rank < 2)
        return err_set(err, ST_BAD_MODEL, "ranks %d, %d, %d, %d, %d; expected 1, 2, 1, 1 and at least 2", n->in[0]->rank,
                       n->in[1]->rank, n->in[2]->rank, n->in[3]->rank, table->rank);
    if (n->in[1]->dim[0] != n->in[0]->dim[0] || n->in[3]->dim[0] != n->in[0]->dim[0] || n->in[1]->dim[1] < 1 ||
        n->in[2]->dim[0] != n->in[1]->dim[1])
        return err_set(err, ST_BAD_MODEL, "%d ids, indices of %d by %d, a dense shape of %d, %d weights", n->in[0]->dim[0],
                       n->in[1]->dim[0], n->in[1]->dim[1], n->in[2]->dim[0], n->in[3]->dim[0]);
    if ((st = shape_ints(n->in[2], dim, TENSOR_MAX_RANK, &count, err)))
        return st;
    rank = (int32_t)count - 1;
    for (int32_t i = 1; i < table->rank; i++)
        dim[rank++] = table->dim[i];
    return shape_set(n, 0, dim, rank, err);
}

struct bucket {
    size_t at; /* its first element in the output */
    uint32_t count;
    float weights, squares; /* sums */
};

static void finish_bucket(const struct bucket *b, enum combiner combiner, float *y, size_t row)
{
    float divisor = combiner == COMBINER_MEAN ? b->weights : sqrtf(b->squares);

    if (combiner == COMBINER_SUM || !b->count)
        return;
    for (size_t k = 0; k < row; k++)
        y[b->at + k] /= divisor;
}

/* The bucket that index i names. */
static enum status bucket_of(const struct node *n, size_t i, size_t *bucket, struct err *err)
{
    const struct tensor *indices = n->in[1], *dense = n->in[2];
    size_t rank = (size_t)indices->dim[1];

    *bucket = 0;
    for (size_t d = 0; d + 1 < rank; d++) {
        int64_t v = tensor_int(indices, i * rank + d), length = tensor_int(dense, d);

        if (v < 0 || v >= length)
            return err_set(err, ST_FAILED, "index %zu is %lld in dimension %zu, which is %lld long", i, (long long)v, d,
                           (long long)length);
        *bucket = *bucket * (size_t)length + (size_t)v;
    }
    return ST_OK;
}

static enum status sparse_run(struct cpu_call *c, struct err *err)
{
    const struct opt_embedding_lookup_sparse *opt = c->node->opt;
    const struct tensor *ids = c->node->in[0], *table = c->node->in[4];
    const float *weight = c->node->in[3]->data, *rows = table->data;
    struct tensor *out = c->node->out[0];
    size_t row = shape_count(table->dim, 1, table->rank), bucket;
    struct bucket b = {0};
    float *y = out->data;
    enum status st;

    if (out->bytes)
        memset(y, 0, out->bytes);
    for (int32_t i = 0; i < ids->dim[0]; i++) {
        int64_t id = tensor_int(ids, (size_t)i);

        if (id < 0 || id >= table->dim[0])
            return err_set(err, ST_FAILED, "id %d is %lld, the table has %d rows", i, (long long)id, table->dim[0]);
        if ((st = bucket_of(c->node, (size_t)i, &bucket, err)))
            return st;
        if (bucket * row != b.at) {
            finish_bucket(&b, opt->combiner, y, row);
            b = (struct bucket){.at = bucket * row};
        }
        b.count++;
        b.squares += weight[i] * weight[i];
        b.weights += weight[i];
        for (size_t k = 0; k < row; k++)
            y[b.at + k] += rows[(size_t)id * row + k] * weight[i];
    }
    finish_bucket(&b, opt->combiner, y, row);
    return ST_OK;
}

const struct cpu_kernel cpu_embedding_lookup_sparse = {.arity = {5, 5, 1},
                                                       .shape = sparse_shape,
                                                       .in = {CPU_I32, CPU_I32, CPU_I32, CPU_F32, CPU_F32},
                                                       .out = {CPU_F32},
                                                       .run = sparse_run,
                                                       .macs = macs_unknown};
