/* SPDX-License-Identifier: Apache-2.0 */
/* fix_pads.c - padding, copies, larger images, and blocks of them. */
#include <string.h>

#include "lib/rewrite/fix_rules.h"

enum { RANK = 4, MOST_PICKED = 4096, MOST_COPIES = 32 };

static bool read_pads(const struct node *n, int32_t pads[TENSOR_MAX_RANK][2])
{
    uint32_t k;

    return n->in[0]->type != TYPE_STRING && !n->in[0]->is_const && fix_ints(n->in[1], 2 * TENSOR_MAX_RANK, pads[0], &k) &&
           k == 2 * (uint32_t)n->in[0]->rank;
}

static bool reflect(int32_t at, const int32_t *pad, bool symmetric, int32_t *index)
{
    const int32_t off = symmetric ? 0 : 1;

    if (pad[0] < 0 || pad[1] < 0 || pad[0] > at - off || pad[1] > at - off || at + pad[0] + pad[1] > MOST_PICKED)
        return false;
    for (int32_t i = 0; i < pad[0]; i++)
        index[i] = pad[0] - 1 - i + off;
    for (int32_t i = 0; i < at; i++)
        index[pad[0] + i] = i;
    for (int32_t i = 0; i < pad[1]; i++)
        index[pad[0] + at + i] = at - 1 - i - off;
    return true;
}

/* One dimension after the other; all are looked at before any is begun. */
bool fix_mirror_pad(struct draft *d, const struct node *n)
{
    const struct opt_mirror_pad *o = n->opt;
    int32_t pads[TENSOR_MAX_RANK][2], index[MOST_PICKED];
    int32_t last = -1;
    struct tensor from;

    if (!fix_has(n, 2, 1) || !read_pads(n, pads) || n->in[0]->rank > RANK)
        return false;
    for (int32_t k = 0; k < n->in[0]->rank; k++) {
        if (!reflect(n->in[0]->dim[k], pads[k], o->mode == MIRROR_SYMMETRIC, index) || pads[k][0] + pads[k][1] >= FIX_MOST_RUNS)
            return false;
        last = pads[k][0] + pads[k][1] ? k : last;
    }
    from = *n->in[0];
    for (int32_t k = 0; k <= last; k++) {
        struct tensor to = from;
        struct around at;
        int32_t between;

        if (!(pads[k][0] + pads[k][1]))
            continue;
        reflect(from.dim[k], pads[k], o->mode == MIRROR_SYMMETRIC, index);
        to.dim[k] += pads[k][0] + pads[k][1];
        between = k == last ? (int32_t)n->out[0]->index : draft_tensor(d, n->out[0], to.dim, to.rank);
        to = d->tensors[between]; /* only now: the array may have moved */
        fix_around(&from, k, &at);
        fix_pick(d, &from, at, index, (uint32_t)to.dim[k], &to);
        from = to;
    }
    return last >= 0;
}

/* Paddings of fewer dimensions than four, in four. */
bool fix_pad_fold(struct draft *d, const struct node *n)
{
    int32_t pads[TENSOR_MAX_RANK][2], wide[RANK][2] = {{0}}, x_dim[RANK] = {1, 1, 1, 1}, y_dim[RANK] = {1, 1, 1, 1}, lead, x, y;
    const int32_t shape[2] = {RANK, 2};
    const struct tensor like = {.name = "paddings", .type = TYPE_INT32};

    if (!fix_has(n, 2, 1) || !read_pads(n, pads) || n->in[0]->rank >= RANK)
        return false;
    lead = RANK - n->in[0]->rank;
    for (int32_t i = lead; i < RANK; i++) {
        memcpy(wide[i], pads[i - lead], sizeof *wide);
        x_dim[i] = n->in[0]->dim[i - lead];
        y_dim[i] = n->out[0]->dim[i - lead];
    }
    x = draft_reshape(d, (int32_t)n->in[0]->index, x_dim, RANK, -1);
    y = draft_tensor(d, n->out[0], y_dim, RANK);
    draft_op(d, BUILTIN_PAD, NULL, (const int32_t[]){x, draft_const(d, &like, shape, 2, wide)}, 2, &y, 1);
    draft_reshape(d, y, n->out[0]->dim, n->out[0]->rank, (int32_t)n->out[0]->index);
    return true;
}

bool fix_pad_of_zero(struct draft *d, const struct node *n)
{
    const struct tensor *v = node_in(n, 2);
    float value;

    if (!fix_has(n, 3, 1) || v->type != TYPE_FLOAT32 || !v->is_const || tensor_elems(v) != 1)
        return false;
    memcpy(&value, v->data, sizeof value);
    if (value != 0)
        return false;
    draft_op(d, BUILTIN_PAD, NULL, (const int32_t[]){(int32_t)n->in[0]->index, (int32_t)n->in[1]->index}, 2,
             (const int32_t[]){(int32_t)n->out[0]->index}, 1);
    return true;
}

/* ---- copies ---- */

/* How often y repeats each dimension of x, which has the same rank with ones before. */
static bool read_times(const struct node *n, int32_t x_dim[RANK], int32_t times[RANK])
{
    const struct tensor *x = n->in[0], *y = n->out[0];

    if (!fix_has(n, 2, 1) || x->is_const || y->rank > RANK || x->rank > y->rank || !tensor_elems(x))
        return false;
    for (int32_t i = 0; i < RANK; i++) {
        const int32_t kx = i - (RANK - x->rank), ky = i - (RANK - y->rank);

        x_dim[i] = kx < 0 ? 1 : x->dim[kx];
        times[i] = (ky < 0 ? 1 : y->dim[ky]) / x_dim[i];
        if (times[i] < 1 || times[i] * x_dim[i] != (ky < 0 ? 1 : y->dim[ky]))
            return false;
    }
    return true;
}

bool fix_broadcast_tile(struct draft *d, const struct node *n)
{
    int32_t x_dim[RANK], y_dim[RANK], times[RANK], x, y;

    if (!read_times(n, x_dim, times))
        return false;
    for (int32_t i = 0; i < RANK; i++)
        y_dim[i] = x_dim[i] * times[i];
    x = draft_reshape(d, (int32_t)n->in[0]->index, x_dim, RANK, -1);
    y = draft_tensor(d, n->out[0], y_dim, RANK);
    draft_op(d, BUILTIN_TILE, NULL, (const int32_t[]){x, draft_ints(d, times, RANK)}, 2, &y, 1);
    draft_reshape(d, y, n->out[0]->dim, n->out[0]->rank, (int32_t)n->out[0]->index);
    return true;
}

/* `times` copies of x one after the other along `axis`. */
static int32_t copies(struct draft *d, int32_t x, int32_t times, int32_t axis, int32_t dim[RANK])
{
    int32_t part[MOST_COPIES];

    for (int32_t i = 0; i < times; i++)
        part[i] = x;
    dim[axis] *= times;
    return times == 1 ? x : draft_concat(d, part, (uint32_t)times, axis, -1, dim, RANK);
}

bool fix_copies(struct draft *d, const struct node *n)
{
    int32_t dim[RANK], times[RANK], x;

    if (!read_times(n, dim, times))
        return false;
    for (int32_t i = 0; i < RANK; i++)
        if (times[i] > MOST_COPIES)
            return false;
    x = draft_reshape(d, (int32_t)n->in[0]->index, dim, RANK, -1);
    for (int32_t i = RANK; i-- > 0;)
        x = copies(d, x, times[i], i, dim);
    draft_reshape(d, x, n->out[0]->dim, n->out[0]->rank, (int32_t)n->out[0]->index);
    return true;
}

/* A whole multiple: each row and column several times. */
bool fix_nearest(struct draft *d, const struct node *n)
{
    const struct opt_resize_nearest_neighbor *o = n->opt;
    const struct tensor *x = node_in(n, 0), *y = node_out(n, 0);
    int32_t dim[RANK], high, wide, at;

    if (!fix_has(n, 2, 1) || x->is_const || o->align_corners || x->rank != RANK || x->dim[0] != 1 || y->dim[1] % x->dim[1] ||
        y->dim[2] % x->dim[2])
        return false;
    high = y->dim[1] / x->dim[1];
    wide = y->dim[2] / x->dim[2];
    if (high > MOST_COPIES || wide > MOST_COPIES)
        return false;
    memcpy(dim, (const int32_t[]){1, x->dim[1] * x->dim[2], 1, x->dim[3]}, sizeof dim);
    at = draft_reshape(d, (int32_t)x->index, dim, RANK, -1);
    at = copies(d, at, wide, 2, dim);
    memcpy(dim, (const int32_t[]){1, x->dim[1], 1, y->dim[2] * y->dim[3]}, sizeof dim);
    at = draft_reshape(d, at, dim, RANK, -1);
    at = copies(d, at, high, 2, dim);
    draft_reshape(d, at, y->dim, y->rank, (int32_t)y->index);
    return true;
}

/* ---- blocks ---- */

/* [1,height,wide,b*b*c] as [1,b*height,b*wide,c], or back: of each row of blocks its b rows are parts of the channels, in each of
 * which the columns already follow one another. */
static bool read_block(const struct node *n, int32_t block, const struct tensor *small, const struct tensor *large)
{
    return fix_has(n, 1, 1) && !n->in[0]->is_const && block > 1 && block <= MOST_COPIES && small->rank == RANK &&
           large->rank == RANK && small->dim[0] == 1 && large->dim[1] == block * small->dim[1] &&
           large->dim[2] == block * small->dim[2] && small->dim[3] == block * block * large->dim[3];
}

bool fix_depth_to_space(struct draft *d, const struct node *n)
{
    const int32_t block = ((const struct opt_depth_to_space *)n->opt)->block_size, one[4] = {1, 1, 1, 1};
    const struct tensor *x = node_in(n, 0), *y = node_out(n, 0);
    int32_t part[MOST_COPIES], channels, row;

    if (!x || !y || !read_block(n, block, x, y))
        return false;
    channels = x->dim[3] / block;
    row = y->dim[2] * y->dim[3];
    for (int32_t i = 0; i < block; i++) {
        const int32_t begin[4] = {0, 0, 0, i * channels}, end[4] = {1, x->dim[1], x->dim[2], (i + 1) * channels};
        const int32_t dim[4] = {1, x->dim[1], x->dim[2], channels};

        part[i] = draft_strided_slice(d, (int32_t)x->index, begin, end, one, -1, dim, RANK);
        part[i] = draft_reshape(d, part[i], (const int32_t[]){1, x->dim[1], 1, row}, RANK, -1);
    }
    row = draft_concat(d, part, (uint32_t)block, 2, -1, (const int32_t[]){1, x->dim[1], block, row}, RANK);
    draft_reshape(d, row, y->dim, RANK, (int32_t)y->index);
    return true;
}

bool fix_space_to_depth(struct draft *d, const struct node *n)
{
    const int32_t block = ((const struct opt_space_to_depth *)n->opt)->block_size, one[4] = {1, 1, 1, 1};
    const struct tensor *x = node_in(n, 0), *y = node_out(n, 0);
    int32_t part[MOST_COPIES], from, row;

    if (!x || !y || !read_block(n, block, y, x))
        return false;
    row = x->dim[2] * x->dim[3];
    from = draft_reshape(d, (int32_t)x->index, (const int32_t[]){1, y->dim[1], block, row}, RANK, -1);
    for (int32_t i = 0; i < block; i++) {
        const int32_t begin[4] = {0, 0, i, 0}, end[4] = {1, y->dim[1], i + 1, row}, dim[4] = {1, y->dim[1], 1, row};

        part[i] = draft_strided_slice(d, from, begin, end, one, -1, dim, RANK);
        part[i] = draft_reshape(d, part[i], (const int32_t[]){1, y->dim[1], y->dim[2], y->dim[3] / block}, RANK, -1);
    }
    draft_concat(d, part, (uint32_t)block, 3, (int32_t)y->index, NULL, 0);
    return true;
}
