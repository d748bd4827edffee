/* SPDX-License-Identifier: Apache-2.0 */
/* fix_parts.c - splitting and joining tensors with CONCATENATION and STRIDED_SLICE alone. */
#include <string.h>

#include "lib/rewrite/fix_rules.h"

enum { RANK = 4, MOST_PICKED = 4096 };

/* Puts x[n] together along `axis` of y, in the form of y. */
static void concat_folded(struct draft *d, struct tensor *const *x, uint32_t n, int32_t axis, const struct tensor *y)
{
    struct around all;
    struct form whole, f;
    int32_t part[DRAFT_MOST_OPERANDS], direct;

    fix_around(y, axis, &all);
    f = whole = fix_form(y, all);
    direct = fix_is_form(y, &whole) ? (int32_t)y->index : -1;
    if (n > 1 && direct < 0) /* with y's scale: operands may have others, from which CONCATENATION converts */
        direct = draft_tensor(d, y, whole.dim, whole.rank);
    for (uint32_t i = 0; i < n; i++) {
        f.dim[f.axis] = (int32_t)(tensor_elems(x[i]) / (size_t)all.outer / (size_t)all.inner);
        part[i] = draft_reshape(d, (int32_t)x[i]->index, f.dim, f.rank, n == 1 ? direct : -1);
    }
    if (n > 1)
        part[0] = draft_concat(d, part, n, f.axis, direct, whole.dim, whole.rank);
    if (part[0] != (int32_t)y->index)
        draft_reshape(d, part[0], y->dim, y->rank, (int32_t)y->index);
}

static bool can_concat(const struct node *n, int32_t axis)
{
    struct around all;

    if (!n->n_in || n->n_in > DRAFT_MOST_OPERANDS || !fix_has(n, n->n_in, 1) || !fix_around(n->out[0], axis, &all))
        return false;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i]->is_const || !tensor_elems(n->in[i]))
            return false;
    return true;
}

bool fix_pack(struct draft *d, const struct node *n)
{
    const struct opt_pack *opt = n->opt;

    if (!can_concat(n, opt->axis))
        return false;
    concat_folded(d, n->in, n->n_in, opt->axis, n->out[0]);
    return true;
}

bool fix_concat_fold(struct draft *d, const struct node *n)
{
    const struct opt_concatenation *opt = n->opt;

    if (opt->activation || !can_concat(n, opt->axis) || n->out[0]->rank == RANK)
        return false;
    concat_folded(d, n->in, n->n_in, opt->axis, n->out[0]);
    return true;
}

/* ---- stretches of one dimension ---- */

static bool stretch(struct draft *d, const struct tensor *x, struct around at, int32_t first, const struct tensor *y)
{
    struct around own;
    int32_t index[MOST_PICKED];
    const uint32_t n = (uint32_t)(tensor_elems(y) / (size_t)at.outer / (size_t)at.inner);

    if (n > MOST_PICKED || !fix_around(x, at.axis, &own))
        return false;
    for (uint32_t i = 0; i < n; i++)
        index[i] = first + (int32_t)i;
    return fix_pick(d, x, at, index, n, y);
}

bool fix_unpack(struct draft *d, const struct node *n)
{
    const struct opt_unpack *opt = n->opt;
    struct around at;

    if (!fix_has(n, 1, n->n_out) || n->in[0]->is_const || !fix_around(n->in[0], opt->axis, &at) || at.at != (int32_t)n->n_out)
        return false;
    for (uint32_t i = 0; i < n->n_out; i++)
        stretch(d, n->in[0], at, (int32_t)i, n->out[i]);
    return true;
}

/* SPLIT has its axis first, SPLIT_V last. */
bool fix_split(struct draft *d, const struct node *n)
{
    const bool v = n->builtin == BUILTIN_SPLIT_V;
    const struct tensor *x;
    struct around at;
    int32_t axis, first = 0;
    uint32_t one;

    if (!fix_has(n, v ? 3 : 2, n->n_out) || !fix_ints(n->in[v ? 2 : 0], 1, &axis, &one) || one != 1)
        return false;
    x = n->in[v ? 0 : 1];
    if (x->is_const || !fix_around(x, axis, &at) || at.at > MOST_PICKED)
        return false;
    for (uint32_t i = 0; i < n->n_out; i++) {
        stretch(d, x, at, first, n->out[i]);
        first += n->out[i]->dim[at.axis];
    }
    return true;
}

/* ---- boxes ---- */

/* Slices in four dimensions, of which x has as many as it can; y has x's rank or, where dimensions were dropped, less. */
static bool box(struct draft *d, const struct tensor *x, const int32_t *begin, const int32_t *size, const int32_t *step,
                const struct tensor *y)
{
    const int32_t lead = x->rank < RANK ? RANK - x->rank : 0;
    int32_t from = (int32_t)x->index, b[RANK], e[RANK], s[RANK], x_dim[RANK], y_dim[RANK];
    bool same;

    if (x->rank > RANK || x->is_const)
        return false;
    for (int32_t i = 0; i < RANK; i++) {
        const int32_t k = i - lead;

        x_dim[i] = k < 0 ? 1 : x->dim[k];
        b[i] = k < 0 ? 0 : begin[k];
        s[i] = k < 0 ? 1 : step[k];
        y_dim[i] = k < 0 ? 1 : size[k];
        e[i] = b[i] + (y_dim[i] - 1) * s[i] + 1;
        if (b[i] < 0 || y_dim[i] < 1 || e[i] > x_dim[i])
            return false;
    }
    if (lead)
        from = draft_reshape(d, from, x_dim, RANK, -1);
    same = y->rank == RANK && !memcmp(y->dim, y_dim, sizeof y_dim);
    if (memcmp(x_dim, y_dim, sizeof x_dim) != 0)
        from = draft_strided_slice(d, from, b, e, s, same ? (int32_t)y->index : -1, y_dim, RANK);
    else
        same = false;
    if (!same)
        draft_reshape(d, from, y->dim, y->rank, (int32_t)y->index);
    return true;
}

bool fix_slice(struct draft *d, const struct node *n)
{
    static const int32_t ones[TENSOR_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    int32_t begin[TENSOR_MAX_RANK];
    uint32_t k;

    if (!fix_has(n, 3, 1) || !fix_ints(n->in[1], TENSOR_MAX_RANK, begin, &k) || k != (uint32_t)n->in[0]->rank)
        return false;
    return box(d, n->in[0], begin, n->out[0]->dim, ones, n->out[0]);
}

/* What the node takes of dimension k of x. `i` is the entry of its lists; false where it steps back. */
static bool read_range(const struct opt_strided_slice *o, const int32_t *begin, const int32_t *end, const int32_t *step, uint32_t i,
                       int32_t dim, int32_t *from, int32_t *size)
{
    int32_t b = begin[i] < 0 ? begin[i] + dim : begin[i], e = end[i] < 0 ? end[i] + dim : end[i];

    if (step[i] < 1 || step[i] > INT32_MAX - dim) /* beyond: e - b + step would overflow */
        return false;
    if (o->shrink_axis_mask >> i & 1) {
        *from = b;
        *size = 1;
        return b >= 0 && b < dim;
    }
    b = o->begin_mask >> i & 1 || b < 0 ? 0 : b;
    e = o->end_mask >> i & 1 || e > dim ? dim : e;
    *from = b;
    *size = e > b ? (e - b + step[i] - 1) / step[i] : 0;
    return true;
}

bool fix_strided_slice(struct draft *d, const struct node *n)
{
    const struct opt_strided_slice *o = n->opt;
    int32_t begin[TENSOR_MAX_RANK], end[TENSOR_MAX_RANK], step[TENSOR_MAX_RANK], from[TENSOR_MAX_RANK], size[TENSOR_MAX_RANK];
    int32_t by[TENSOR_MAX_RANK], k = 0;
    uint32_t n_begin, n_end, n_step;

    if (!fix_has(n, 4, 1) || o->offset || !fix_ints(n->in[1], TENSOR_MAX_RANK, begin, &n_begin) ||
        !fix_ints(n->in[2], TENSOR_MAX_RANK, end, &n_end) || !fix_ints(n->in[3], TENSOR_MAX_RANK, step, &n_step) ||
        n_begin != n_end || n_begin != n_step || n->in[0]->rank > RANK)
        return false;
    for (uint32_t i = 0; i < n_begin; i++) {
        int32_t times = o->ellipsis_mask >> i & 1 ? n->in[0]->rank - k : !(o->new_axis_mask >> i & 1);

        for (uint32_t later = i + 1; later < n_begin && o->ellipsis_mask >> i & 1; later++)
            times -= !(o->new_axis_mask >> later & 1);
        for (; times > 0 && k < n->in[0]->rank; times--, k++) {
            from[k] = 0;
            by[k] = 1;
            size[k] = n->in[0]->dim[k];
            if (o->ellipsis_mask >> i & 1)
                continue;
            by[k] = step[i];
            if (!read_range(o, begin, end, step, i, n->in[0]->dim[k], &from[k], &size[k]))
                return false;
        }
    }
    for (; k < n->in[0]->rank; k++) {
        from[k] = 0;
        by[k] = 1;
        size[k] = n->in[0]->dim[k];
    }
    return box(d, n->in[0], from, size, by, n->out[0]);
}

/* ---- picks ---- */

bool fix_gather_slices(struct draft *d, const struct node *n)
{
    const struct opt_gather *o = n->opt;
    int32_t index[MOST_PICKED];
    struct around at;
    uint32_t k;

    if (!fix_has(n, 2, 1) || n->in[0]->is_const || o->batch_dims || !fix_around(n->in[0], o->axis, &at) ||
        !fix_ints(n->in[1], MOST_PICKED, index, &k))
        return false;
    return fix_pick(d, n->in[0], at, index, k, n->out[0]);
}

/* GATHER in the form of x, by these indices. */
static void gather(struct draft *d, const struct tensor *x, struct around at, int32_t index, uint32_t n, const struct tensor *y)
{
    struct form f = fix_form(x, at);
    const struct opt_gather opt = {.axis = f.axis};
    const int32_t from = fix_is_form(x, &f) ? (int32_t)x->index : draft_reshape(d, (int32_t)x->index, f.dim, f.rank, -1);
    int32_t to;

    f.dim[f.axis] = (int32_t)n;
    to = fix_is_form(y, &f) ? (int32_t)y->index : draft_tensor(d, y, f.dim, f.rank);
    draft_op(d, BUILTIN_GATHER, &opt, (const int32_t[]){from, index}, 2, &to, 1);
    if (to != (int32_t)y->index)
        draft_reshape(d, to, y->dim, y->rank, (int32_t)y->index);
}

bool fix_gather_flat(struct draft *d, const struct node *n)
{
    const struct opt_gather *o = n->opt;
    int32_t index[MOST_PICKED], by;
    struct around at;
    uint32_t k;

    if (!fix_has(n, 2, 1) || n->in[0]->is_const || o->batch_dims || !fix_around(n->in[0], o->axis, &at))
        return false;
    if (fix_ints(n->in[1], MOST_PICKED, index, &k)) {
        by = draft_ints(d, index, k);
    } else {
        if (n->in[1]->is_const || n->in[1]->type != TYPE_INT32)
            return false;
        k = (uint32_t)tensor_elems(n->in[1]);
        by = draft_reshape(d, (int32_t)n->in[1]->index, (const int32_t[]){(int32_t)k}, 1, -1);
    }
    gather(d, n->in[0], at, by, k, n->out[0]);
    return true;
}

/* Constant tuples of indices as positions of x taken as [1,at,inner]. */
static bool read_tuples(const struct node *n, int32_t *index, uint32_t *n_index, struct around *at)
{
    int32_t list[MOST_PICKED], width;
    uint32_t k;

    if (!fix_has(n, 2, 1) || n->in[0]->is_const || n->in[1]->rank < 1 || !fix_ints(n->in[1], MOST_PICKED, list, &k))
        return false;
    width = n->in[1]->dim[n->in[1]->rank - 1];
    if (width < 1 || width > n->in[0]->rank || !fix_around(n->in[0], width - 1, at))
        return false;
    at->at *= at->outer;
    at->outer = 1;
    *n_index = k / (uint32_t)width;
    for (uint32_t i = 0; i < *n_index; i++) {
        index[i] = 0;
        for (int32_t w = 0; w < width; w++) {
            const int32_t v = list[i * (uint32_t)width + (uint32_t)w];

            if (v < 0 || v >= n->in[0]->dim[w])
                return false;
            index[i] = index[i] * n->in[0]->dim[w] + v;
        }
    }
    return true;
}

bool fix_gather_nd_slices(struct draft *d, const struct node *n)
{
    int32_t index[MOST_PICKED];
    struct around at;
    uint32_t k;

    return read_tuples(n, index, &k, &at) && fix_pick(d, n->in[0], at, index, k, n->out[0]);
}

bool fix_gather_nd_flat(struct draft *d, const struct node *n)
{
    int32_t index[MOST_PICKED];
    struct around at;
    uint32_t k;

    if (!read_tuples(n, index, &k, &at))
        return false;
    gather(d, n->in[0], at, draft_ints(d, index, k), k, n->out[0]);
    return true;
}

bool fix_reverse(struct draft *d, const struct node *n)
{
    int32_t index[FIX_MOST_RUNS], axis;
    struct around at;
    uint32_t one;

    if (!fix_has(n, 2, 1) || n->in[0]->is_const || !fix_ints(n->in[1], 1, &axis, &one) || one != 1 ||
        !fix_around(n->in[0], axis, &at) || at.at > FIX_MOST_RUNS)
        return false;
    for (int32_t i = 0; i < at.at; i++)
        index[i] = at.at - 1 - i;
    return fix_pick(d, n->in[0], at, index, (uint32_t)at.at, n->out[0]);
}
