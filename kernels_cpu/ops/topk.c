/* SPDX-License-Identifier: Apache-2.0 */
/* topk.c - TOPK_V2: the k largest elements of each row, with their places; of equals the first come first. */
#include <string.h>

#include "kernels_cpu/common/elem_order.h"
#include "kernels_cpu/common/move.h"

static enum status topk_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK], k;
    const struct tensor *x = n->in[0];
    uint32_t count;
    enum status st;

    if ((st = shape_ints(n->in[1], &k, 1, &count, err)))
        return st;
    if (x->rank < 1)
        return err_set(err, ST_BAD_MODEL, "a scalar has no rows");
    if (count != 1 || k < 0 || k > x->dim[x->rank - 1])
        return err_set(err, ST_BAD_MODEL, "k is %d, rows are %d long", count ? k : -1, x->dim[x->rank - 1]);
    memcpy(dim, x->dim, sizeof dim);
    dim[x->rank - 1] = k;
    if ((st = shape_set(n, 0, dim, x->rank, err)))
        return st;
    return shape_set(n, 1, dim, x->rank, err);
}

static enum status topk_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *at = c->node->out[1];
    size_t row = (size_t)x->dim[x->rank - 1];

    if (!elem_order_of(x->type))
        return cpu_bad_type(c->node, x, err);
    if (at->type == TYPE_INT16 && row > INT16_MAX)
        return err_set(err, ST_BAD_MODEL, "INT16 cannot number rows of %zu", row);
    c->scratch_bytes = row * sizeof(int32_t);
    return move_same_type(c->node, x, c->node->out[0], err);
}

struct row {
    const void *data; /* of the whole tensor */
    size_t at;        /* where the row begins */
    elem_order order;
};

/* True if element a comes before b in the result. */
static bool before(const struct row *r, int32_t a, int32_t b)
{
    int order = r->order(r->data, r->at + (size_t)a, r->at + (size_t)b);

    return order ? order > 0 : a < b;
}

/* heap[0] is the last of its n elements; restores that below place i. */
static void sink(const struct row *r, int32_t *heap, size_t n, size_t i)
{
    int32_t v = heap[i];

    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && before(r, heap[child], heap[child + 1]))
            child++;
        if (!before(r, v, heap[child]))
            break;
        heap[i] = heap[child];
    }
    heap[i] = v;
}

/* Fills best[k] with the row's first k in order. */
static void best_of(const struct row *r, int32_t *best, size_t k, size_t n)
{
    for (size_t i = 0; i < k; i++)
        best[i] = (int32_t)i;
    for (size_t i = k / 2; i-- > 0;)
        sink(r, best, k, i);
    for (size_t i = k; i < n; i++)
        if (before(r, (int32_t)i, best[0])) {
            best[0] = (int32_t)i;
            sink(r, best, k, 0);
        }
    for (size_t end = k; end > 1; end--) {
        int32_t last = best[0];

        best[0] = best[end - 1];
        best[end - 1] = last;
        sink(r, best, end - 1, 0);
    }
}

static void topk_run(struct cpu_call *c)
{
    const struct tensor *x = c->node->in[0];
    struct tensor *y = c->node->out[0], *at = c->node->out[1];
    size_t rows = shape_count(x->dim, 0, x->rank - 1), n = (size_t)x->dim[x->rank - 1], k = (size_t)y->dim[y->rank - 1];
    size_t bytes = type_bits(x->type) / 8;
    int32_t *best = c->scratch;

    for (size_t i = 0; i < rows && k; i++) {
        struct row r = {x->data, i * n, elem_order_of(x->type)};

        best_of(&r, best, k, n);
        for (size_t j = 0; j < k; j++) {
            memcpy((uint8_t *)y->data + (i * k + j) * bytes, (const uint8_t *)x->data + (r.at + (size_t)best[j]) * bytes, bytes);
            if (at->type == TYPE_INT16)
                ((int16_t *)at->data)[i * k + j] = (int16_t)best[j];
            else
                ((int32_t *)at->data)[i * k + j] = best[j];
        }
    }
}

const struct cpu_kernel cpu_topk = {
    .arity = {2, 2, 2}, .shape = topk_shape, .out = {0, CPU_I32 | 1u << TYPE_INT16}, .prepare = topk_prepare, .compute = topk_run};
