/* SPDX-License-Identifier: Apache-2.0 */
/* fix_arithmetic.c - arithmetic in terms of ADD, SUB, MUL, RELU and LOGISTIC, on floats. */
#include <math.h>
#include <string.h>

#include "lib/rewrite/fix_rules.h"

static int32_t at(const struct tensor *t)
{
    return (int32_t)t->index;
}

static bool is_unary(const struct node *n)
{
    return fix_has(n, 1, 1) && fix_is_float(n->in[0]) && n->out[0]->type == TYPE_FLOAT32;
}

/* Two floats of which one is computed, and the result has the shape of it. */
static bool is_binary(const struct node *n)
{
    return fix_has(n, 2, 1) && n->in[0]->type == TYPE_FLOAT32 && n->in[1]->type == TYPE_FLOAT32 &&
           !(n->in[0]->is_const && n->in[1]->is_const);
}

static bool same_shapes(const struct node *n)
{
    return tensor_same_shape(n->in[0], n->out[0]) && tensor_same_shape(n->in[1], n->out[0]) && !n->in[0]->is_const &&
           !n->in[1]->is_const;
}

/* ---- two tensors ---- */

/* The operand with as many dimensions as the result, ones before. */
static int32_t of_rank(struct draft *d, const struct tensor *t, int32_t rank)
{
    int32_t dim[TENSOR_MAX_RANK];

    if (t->rank == rank)
        return at(t);
    for (int32_t i = 0; i < rank; i++)
        dim[i] = i < rank - t->rank ? 1 : t->dim[i - (rank - t->rank)];
    if (t->is_const)
        return draft_const(d, t, dim, rank, t->data);
    return draft_reshape(d, at(t), dim, rank, -1);
}

bool fix_align(struct draft *d, const struct node *n)
{
    const int32_t rank = n->n_out ? n->out[0]->rank : 0;

    if (!is_binary(n) || (n->in[0]->rank == rank && n->in[1]->rank == rank))
        return false;
    draft_op(d, n->builtin, n->opt, (const int32_t[]){of_rank(d, n->in[0], rank), of_rank(d, n->in[1], rank)}, 2,
             (const int32_t[]){at(n->out[0])}, 1);
    return true;
}

bool fix_div(struct draft *d, const struct node *n)
{
    const struct opt_div *o = n->opt;
    const struct opt_mul opt = {.activation = o->activation};
    const struct tensor *by = node_in(n, 1);
    float *reciprocal;
    size_t elems;

    if (!is_binary(n) || !by->is_const || !by->data)
        return false;
    elems = tensor_elems(by);
    if (!(reciprocal = arena_alloc(d->a, elems, sizeof *reciprocal))) {
        d->st = ST_NOMEM;
        return false;
    }
    for (size_t i = 0; i < elems; i++) {
        reciprocal[i] = 1 / ((const float *)by->data)[i];
        if (!isnormal(reciprocal[i]))
            return false;
    }
    draft_op(d, BUILTIN_MUL, &opt, (const int32_t[]){at(n->in[0]), draft_const(d, by, by->dim, by->rank, reciprocal)}, 2,
             (const int32_t[]){at(n->out[0])}, 1);
    return true;
}

static bool is_zero(const struct tensor *t)
{
    const float *v = t->data;

    if (!t->is_const || !v)
        return false;
    for (size_t i = 0; i < tensor_elems(t); i++)
        if (v[i] != 0)
            return false;
    return true;
}

bool fix_maximum_of_zero(struct draft *d, const struct node *n)
{
    const bool second = is_binary(n) && is_zero(n->in[1]);
    const struct tensor *x;

    if (!second && !(is_binary(n) && is_zero(n->in[0])))
        return false;
    x = n->in[second ? 0 : 1];
    if (!tensor_same_shape(x, n->out[0]))
        return false;
    draft_unary(d, BUILTIN_RELU, at(x), at(n->out[0]));
    return true;
}

/* The larger of a and b, element by element, to y: as the two rows of an image. No arithmetic such as relu(a - b) + b does, which
 * keeps nothing of an a that is small beside b. */
static void larger(struct draft *d, int32_t a, int32_t b, const struct tensor *y, int32_t to)
{
    const struct opt_pool_2d pool = {
        .padding = PAD_VALID, .stride_width = 1, .stride_height = 2, .filter_width = 1, .filter_height = 2};
    const int32_t channels = y->rank ? y->dim[y->rank - 1] : 1, rows = (int32_t)(tensor_elems(y) / (size_t)channels);
    const int32_t one[4] = {1, 1, rows, channels}, both[4] = {1, 2, rows, channels};
    int32_t pair[2];

    pair[0] = draft_reshape(d, a, one, 4, -1);
    pair[1] = draft_reshape(d, b, one, 4, -1);
    pair[0] = draft_concat(d, pair, 2, 1, -1, both, 4);
    pair[1] = draft_tensor(d, y, one, 4);
    draft_op(d, BUILTIN_MAX_POOL_2D, &pool, pair, 1, pair + 1, 1);
    draft_reshape(d, pair[1], y->dim, y->rank, to);
}

bool fix_maximum(struct draft *d, const struct node *n)
{
    if (!is_binary(n) || !same_shapes(n) || !tensor_elems(n->out[0]))
        return false;
    larger(d, at(n->in[0]), at(n->in[1]), n->out[0], at(n->out[0]));
    return true;
}

/* min(a, b) = -max(-a, -b) */
bool fix_minimum(struct draft *d, const struct node *n)
{
    const struct tensor *y = n->out[0];
    int32_t minus, a, b, most;

    if (!is_binary(n) || !same_shapes(n) || !tensor_elems(y))
        return false;
    minus = draft_float(d, -1);
    a = draft_binary(d, BUILTIN_MUL, at(n->in[0]), minus, -1);
    b = draft_binary(d, BUILTIN_MUL, at(n->in[1]), minus, -1);
    most = draft_tensor(d, y, y->dim, y->rank);
    larger(d, a, b, y, most);
    draft_binary(d, BUILTIN_MUL, most, minus, at(y));
    return true;
}

bool fix_squared_difference(struct draft *d, const struct node *n)
{
    int32_t off;

    if (!is_binary(n))
        return false;
    off = draft_tensor(d, n->out[0], n->out[0]->dim, n->out[0]->rank);
    draft_binary(d, BUILTIN_SUB, at(n->in[0]), at(n->in[1]), off);
    draft_binary(d, BUILTIN_MUL, off, off, at(n->out[0]));
    return true;
}

/* ---- one ---- */

bool fix_neg(struct draft *d, const struct node *n)
{
    if (!is_unary(n))
        return false;
    draft_binary(d, BUILTIN_MUL, at(n->in[0]), draft_float(d, -1), at(n->out[0]));
    return true;
}

bool fix_square(struct draft *d, const struct node *n)
{
    if (!is_unary(n))
        return false;
    draft_binary(d, BUILTIN_MUL, at(n->in[0]), at(n->in[0]), at(n->out[0]));
    return true;
}

/* |x| = relu(x) + relu(-x) */
bool fix_abs(struct draft *d, const struct node *n)
{
    int32_t above, below;

    if (!is_unary(n))
        return false;
    above = draft_unary(d, BUILTIN_RELU, at(n->in[0]), -1);
    below = draft_unary(d, BUILTIN_RELU, draft_binary(d, BUILTIN_MUL, at(n->in[0]), draft_float(d, -1), -1), -1);
    draft_binary(d, BUILTIN_ADD, above, below, at(n->out[0]));
    return true;
}

/* x * relu6(x + 3) / 6 */
bool fix_hard_swish(struct draft *d, const struct node *n)
{
    int32_t gate, sixth;

    if (!is_unary(n))
        return false;
    gate = draft_unary(d, BUILTIN_RELU6, draft_binary(d, BUILTIN_ADD, at(n->in[0]), draft_float(d, 3), -1), -1);
    sixth = draft_binary(d, BUILTIN_MUL, gate, draft_float(d, 1.0f / 6), -1);
    draft_binary(d, BUILTIN_MUL, at(n->in[0]), sixth, at(n->out[0]));
    return true;
}

/* A slope of its own for each channel, all the same. */
bool fix_leaky_relu(struct draft *d, const struct node *n)
{
    const struct opt_leaky_relu *o = n->opt;
    const struct tensor like = {.name = "alpha", .type = TYPE_FLOAT32};
    int32_t dim[TENSOR_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1}, rank, channels;
    float *alpha;

    if (!is_unary(n) || n->in[0]->rank < 2)
        return false;
    rank = n->in[0]->rank - 1;
    channels = dim[rank - 1] = n->in[0]->dim[rank];
    if (!(alpha = arena_alloc(d->a, (size_t)channels, sizeof *alpha))) {
        d->st = ST_NOMEM;
        return false;
    }
    for (int32_t i = 0; i < channels; i++)
        alpha[i] = o->alpha;
    draft_op(d, BUILTIN_PRELU, NULL, (const int32_t[]){at(n->in[0]), draft_const(d, &like, dim, rank, alpha)}, 2,
             (const int32_t[]){at(n->out[0])}, 1);
    return true;
}

/* tanh x = 2 sigmoid(2x) - 1 */
bool fix_tanh(struct draft *d, const struct node *n)
{
    int32_t two, s;

    if (!is_unary(n))
        return false;
    two = draft_float(d, 2);
    s = draft_unary(d, BUILTIN_LOGISTIC, draft_binary(d, BUILTIN_MUL, at(n->in[0]), two, -1), -1);
    s = draft_binary(d, BUILTIN_MUL, s, two, -1);
    draft_binary(d, BUILTIN_ADD, s, draft_float(d, -1), at(n->out[0]));
    return true;
}

/* x * rsqrt(max(sum x^2, 1e-12)): rows shorter than 1e-6 are divided by that. */
bool fix_l2_norm(struct draft *d, const struct node *n)
{
    const struct opt_l2_norm *o = n->opt;
    const struct opt_reducer keep = {.keep_dims = true};
    int32_t dim[TENSOR_MAX_RANK], sum, square;

    if (!is_unary(n) || o->activation || n->in[0]->rank < 1)
        return false;
    memcpy(dim, n->in[0]->dim, sizeof dim);
    dim[n->in[0]->rank - 1] = 1;
    square = draft_binary(d, BUILTIN_MUL, at(n->in[0]), at(n->in[0]), -1);
    sum = draft_tensor(d, n->in[0], dim, n->in[0]->rank);
    draft_op(d, BUILTIN_SUM, &keep, (const int32_t[]){square, draft_ints(d, (const int32_t[]){n->in[0]->rank - 1}, 1)}, 2, &sum, 1);
    sum = draft_unary(d, BUILTIN_RSQRT, draft_binary(d, BUILTIN_MAXIMUM, sum, draft_float(d, 1e-12f), -1), -1);
    draft_binary(d, BUILTIN_MUL, at(n->in[0]), sum, at(n->out[0]));
    return true;
}
