/* SPDX-License-Identifier: Apache-2.0 */
/* space.c - DEPTH_TO_SPACE, SPACE_TO_DEPTH, SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND: pixels dealt out to channels or batches. */
#include <string.h>

#include "kernels_cpu/ops/pad.h"

static enum status block_size(int size, struct err *err)
{
    return size > 0 ? ST_OK : err_set(err, ST_BAD_MODEL, "block size %d", size);
}

static enum status check_depth(const struct tensor *x, int block, struct err *err)
{
    return x->rank == 4 ? block_size(block, err) : err_set(err, ST_BAD_MODEL, "rank %d, must be 4", x->rank);
}

static enum status depth_to_space_shape(struct node *n, struct err *err)
{
    const struct opt_depth_to_space *opt = n->opt;
    const int64_t b = opt->block_size;
    const int32_t *x = n->in[0]->dim;
    enum status st = check_depth(n->in[0], opt->block_size, err);

    if (st)
        return st;
    if (x[3] % (b * b))
        return err_set(err, ST_BAD_MODEL, "%d channels are no multiple of block size %lld squared", x[3], (long long)b);
    if (x[1] * b > INT32_MAX || x[2] * b > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "block size %lld makes the output too large", (long long)b);
    return shape_set(n, 0, (int32_t[]){x[0], (int32_t)(x[1] * b), (int32_t)(x[2] * b), (int32_t)(x[3] / (b * b))}, 4, err);
}

static enum status space_to_depth_shape(struct node *n, struct err *err)
{
    const struct opt_space_to_depth *opt = n->opt;
    const int64_t b = opt->block_size;
    const int32_t *x = n->in[0]->dim;
    enum status st = check_depth(n->in[0], opt->block_size, err);

    if (st)
        return st;
    if (x[1] % b || x[2] % b)
        return err_set(err, ST_BAD_MODEL, "height %d or width %d is no multiple of block size %lld", x[1], x[2], (long long)b);
    if (b > INT16_MAX || x[3] * b * b > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "block size %lld makes the output too deep", (long long)b);
    return shape_set(n, 0, (int32_t[]){x[0], (int32_t)(x[1] / b), (int32_t)(x[2] / b), (int32_t)(x[3] * b * b)}, 4, err);
}

/* Both directions see [n*h, bh, w, bw, c] on the spatial side and [n*h, w, bh, bw, c] on the deep one. */
static void deal_depth(struct cpu_call *c, const struct tensor *space, const struct tensor *deep, int32_t block, bool to_space)
{
    const struct tensor *x = c->node->in[0];
    size_t b = (size_t)block, w = (size_t)deep->dim[2], depth = (size_t)space->dim[3];
    size_t rows = (size_t)deep->dim[0] * (size_t)deep->dim[1], row = w * b * depth;
    size_t dims[4] = {rows, b, w, b * depth};
    ptrdiff_t s[4] = {(ptrdiff_t)(b * row), (ptrdiff_t)row, (ptrdiff_t)(b * depth), 1};
    ptrdiff_t d[4] = {(ptrdiff_t)(b * row), (ptrdiff_t)(b * depth), (ptrdiff_t)(b * b * depth), 1};
    struct move m = {0};

    for (int i = 0; i < 4; i++)
        move_dim(&m, dims[i], to_space ? s[i] : d[i], to_space ? d[i] : s[i]);
    move_run(&m, type_bits(x->type), c->node->out[0]->data, x->data, c->threads);
}

static void depth_to_space_run(struct cpu_call *c)
{
    const struct opt_depth_to_space *opt = c->node->opt;

    deal_depth(c, c->node->out[0], c->node->in[0], opt->block_size, true);
}

static void space_to_depth_run(struct cpu_call *c)
{
    const struct opt_space_to_depth *opt = c->node->opt;

    deal_depth(c, c->node->in[0], c->node->out[0], opt->block_size, false);
}

/* The blocks and paddings (or crops) of the two spatial dimensions; rank 3 has one, the other is 1 long. */
struct blocks {
    int32_t block[2], before[2], after[2];
};

static enum status read_blocks(const struct node *n, struct blocks *b, struct err *err)
{
    const struct tensor *x = n->in[0];
    struct paddings p;
    int32_t spatial = x->rank - 2;
    uint32_t count;
    enum status st;

    if (x->rank != 3 && x->rank != 4)
        return err_set(err, ST_BAD_MODEL, "rank %d, must be 3 or 4", x->rank);
    *b = (struct blocks){.block = {1, 1}};
    if ((st = shape_ints(n->in[1], b->block, 2, &count, err)) || (st = pad_read(n, n->in[2], spatial, &p, err)))
        return st;
    if (count != (uint32_t)spatial)
        return err_set(err, ST_BAD_MODEL, "%u block sizes for %d spatial dimensions", count, spatial);
    for (int32_t i = 0; i < spatial; i++) {
        if ((st = block_size(b->block[i], err)))
            return st;
        b->before[i] = p.before[i];
        b->after[i] = p.after[i];
    }
    return ST_OK;
}

static enum status space_to_batch_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK], padded;
    const struct tensor *x = n->in[0];
    struct blocks b;
    int64_t batch;
    enum status st;

    if ((st = read_blocks(n, &b, err)))
        return st;
    memcpy(dim, x->dim, sizeof dim);
    batch = x->dim[0];
    for (int32_t i = 0; i < x->rank - 2; i++) {
        if ((st = pad_length(x->dim[i + 1], b.before[i], b.after[i], &padded, err)))
            return st;
        if (padded % b.block[i])
            return err_set(err, ST_BAD_MODEL, "dimension %d is %d long with its padding, no multiple of block size %d", i + 1,
                           padded, b.block[i]);
        dim[i + 1] = padded / b.block[i];
        if ((batch *= b.block[i]) > INT32_MAX)
            return err_set(err, ST_BAD_MODEL, "the block sizes make %lld batches", (long long)batch);
    }
    dim[0] = (int32_t)batch;
    return shape_set(n, 0, dim, x->rank, err);
}

static enum status batch_to_space_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK];
    const struct tensor *x = n->in[0];
    struct blocks b;
    enum status st;

    if ((st = read_blocks(n, &b, err)))
        return st;
    memcpy(dim, x->dim, sizeof dim);
    for (int32_t i = 0; i < x->rank - 2; i++) {
        int64_t length = (int64_t)x->dim[i + 1] * b.block[i] - b.before[i] - b.after[i];

        if (dim[0] % b.block[i])
            return err_set(err, ST_BAD_MODEL, "%d batches are no multiple of the blocks", x->dim[0]);
        if (length < 0 || length > INT32_MAX)
            return err_set(err, ST_BAD_MODEL, "dimension %d would be %lld long after crops %d and %d", i + 1, (long long)length,
                           b.before[i], b.after[i]);
        dim[0] /= b.block[i];
        dim[i + 1] = (int32_t)length;
    }
    return shape_set(n, 0, dim, x->rank, err);
}

/* Of the positions k * block + offset - before, k = 0 .. n - 1: those within [0, length), as a range of k. */
static void visible(int32_t n, int32_t block, int32_t offset, int32_t before, int32_t length, int64_t *first, size_t *count)
{
    int64_t at = (int64_t)offset - before, end;

    *first = at < 0 ? (-at + block - 1) / block : 0;
    end = at < length ? ((int64_t)length - at + block - 1) / block : 0;
    end = end < n ? end : n;
    *count = end > *first ? (size_t)(end - *first) : 0;
}

/* Copies between [n, H, W, c] and [bh * bw * n, h, w, c], what lies outside H and W left out. */
static void deal_batches(struct cpu_call *c, const struct tensor *space, const struct tensor *batch, const struct blocks *b,
                         bool to_space)
{
    const struct tensor *x = c->node->in[0];
    bool flat = x->rank == 3;
    int32_t H = space->dim[1], W = flat ? 1 : space->dim[2], h = batch->dim[1], w = flat ? 1 : batch->dim[2];
    ptrdiff_t depth = space->dim[x->rank - 1];
    size_t n = (size_t)space->dim[0];

    for (int32_t block = 0; block < b->block[0] * b->block[1]; block++) {
        int32_t oy = block / b->block[1], ox = block % b->block[1];
        int64_t y0, x0;
        size_t ny, nx;
        struct move m = {0};
        ptrdiff_t in_space, in_batch;

        visible(h, b->block[0], oy, b->before[0], H, &y0, &ny);
        visible(w, b->block[1], ox, b->before[1], W, &x0, &nx);
        in_space = ((y0 * b->block[0] + oy - b->before[0]) * W + x0 * b->block[1] + ox - b->before[1]) * depth;
        in_batch = (((ptrdiff_t)((size_t)block * n) * h + y0) * w + x0) * depth;
        m.dst0 = to_space ? in_space : in_batch;
        m.src0 = to_space ? in_batch : in_space;
        const size_t dims[4] = {n, ny, nx, (size_t)depth};
        const ptrdiff_t s[4] = {(ptrdiff_t)H * W * depth, (ptrdiff_t)b->block[0] * W * depth, (ptrdiff_t)b->block[1] * depth, 1};
        const ptrdiff_t d[4] = {(ptrdiff_t)h * w * depth, (ptrdiff_t)w * depth, depth, 1};
        for (int i = 0; i < 4; i++)
            move_dim(&m, dims[i], to_space ? s[i] : d[i], to_space ? d[i] : s[i]);
        move_run(&m, type_bits(x->type), c->node->out[0]->data, x->data, c->threads);
    }
}

static enum status space_to_batch_run(struct cpu_call *c, struct err *err)
{
    struct tensor *y = c->node->out[0];
    struct blocks b;
    uint8_t zero[16];
    enum status st = read_blocks(c->node, &b, err);

    if (st || !y->bytes)
        return st;
    pad_zero(y, zero);
    move_fill(y->data, 0, tensor_elems(y), type_bits(y->type), zero);
    deal_batches(c, c->node->in[0], y, &b, false);
    return ST_OK;
}

static enum status batch_to_space_run(struct cpu_call *c, struct err *err)
{
    struct tensor *y = c->node->out[0];
    struct blocks b;
    enum status st = read_blocks(c->node, &b, err);

    if (!st && y->bytes)
        deal_batches(c, y, c->node->in[0], &b, true);
    return st;
}

const struct cpu_kernel cpu_depth_to_space = {
    .arity = {1, 1, 1}, .shape = depth_to_space_shape, .prepare = move_prepare, .compute = depth_to_space_run};
const struct cpu_kernel cpu_space_to_depth = {
    .arity = {1, 1, 1}, .shape = space_to_depth_shape, .prepare = move_prepare, .compute = space_to_depth_run};
const struct cpu_kernel cpu_space_to_batch_nd = {
    .arity = {3, 3, 1}, .shape = space_to_batch_shape, .prepare = move_prepare, .run = space_to_batch_run};
const struct cpu_kernel cpu_batch_to_space_nd = {
    .arity = {3, 3, 1}, .shape = batch_to_space_shape, .prepare = move_prepare, .run = batch_to_space_run};
