/* SPDX-License-Identifier: Apache-2.0 */
/* fix_shape.c - queries of nodes for rules, and selection along a dimension as slices. */
#include <string.h>

#include "lib/rewrite/fix_impl.h"

bool fix_around(const struct tensor *t, int64_t axis, struct around *out)
{
    int64_t outer = 1, inner = 1;

    if (axis < 0)
        axis += t->rank;
    if (axis < 0 || axis >= t->rank)
        return false;
    for (int32_t i = 0; i < t->rank; i++) {
        outer *= i < axis ? t->dim[i] : 1;
        inner *= i > axis ? t->dim[i] : 1;
    }
    if (outer < 1 || inner < 1 || t->dim[axis] < 1 || outer > INT32_MAX || inner > INT32_MAX)
        return false;
    *out = (struct around){(int32_t)outer, t->dim[axis], (int32_t)inner, (int32_t)axis};
    return true;
}

bool fix_ints(const struct tensor *t, uint32_t most, int32_t *out, uint32_t *n)
{
    const size_t elems = t && t->is_const && t->data && (t->type == TYPE_INT32 || t->type == TYPE_INT64) ? tensor_elems(t)
                                                                                                         : SIZE_MAX;

    if (elems > most)
        return false;
    for (size_t i = 0; i < elems; i++) {
        const int64_t v = tensor_int(t, i);

        if (v < INT32_MIN || v > INT32_MAX)
            return false;
        out[i] = (int32_t)v;
    }
    *n = (uint32_t)elems;
    return true;
}

bool fix_has(const struct node *n, uint32_t n_in, uint32_t n_out)
{
    if (n->n_in != n_in || n->n_out != n_out || n->dynamic)
        return false;
    for (uint32_t i = 0; i < n_in + n_out; i++) {
        const struct tensor *t = i < n_in ? n->in[i] : n->out[i - n_in];

        if (!t || t->is_dynamic || (i >= n_in && !tensor_elems(t)))
            return false;
    }
    return true;
}

bool fix_is_float(const struct tensor *t)
{
    return t->type == TYPE_FLOAT32 && !t->is_const;
}

struct form fix_form(const struct tensor *t, struct around at)
{
    struct form f = {{1, at.outer, at.at, at.inner}, 4, 2};

    if ((t->rank == 3 || t->rank == 4) && t->dim[at.axis] == at.at) {
        memcpy(f.dim, t->dim, sizeof f.dim);
        f.rank = t->rank;
        f.axis = at.axis;
    } else if (at.inner == 1) {
        f = (struct form){{1, 1, at.outer, at.at}, 4, 3};
    }
    return f;
}

bool fix_is_form(const struct tensor *t, const struct form *f)
{
    return t->rank == f->rank && !memcmp(t->dim, f->dim, (size_t)f->rank * sizeof *f->dim);
}

/* Slices `lo` up to `hi` of the form's dimension, into `y` or, below 0, a new tensor. */
static int32_t slice(struct draft *d, int32_t x, struct form f, int32_t lo, int32_t hi, int32_t y)
{
    const int32_t step[4] = {1, 1, 1, 1};
    int32_t begin[4] = {0}, end[4];

    memcpy(end, f.dim, sizeof end);
    begin[f.axis] = lo;
    end[f.axis] = hi;
    f.dim[f.axis] = hi - lo;
    return draft_strided_slice(d, x, begin, end, step, y, f.dim, f.rank);
}

static uint32_t count_runs(const int32_t *index, uint32_t n)
{
    uint32_t runs = n > 0;

    for (uint32_t i = 1; i < n; i++)
        runs += index[i] != index[i - 1] + 1;
    return runs;
}

bool fix_pick(struct draft *d, const struct tensor *x, struct around at, const int32_t *index, uint32_t n, const struct tensor *y)
{
    const struct form f = fix_form(x, at);
    struct form to = f;
    int32_t part[FIX_MOST_RUNS], from = (int32_t)x->index, direct;
    const uint32_t runs = count_runs(index, n);
    uint32_t k = 0;

    if (!runs || runs > FIX_MOST_RUNS)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (index[i] < 0 || index[i] >= at.at)
            return false;
    to.dim[f.axis] = (int32_t)n;
    direct = fix_is_form(y, &to) ? (int32_t)y->index : -1;
    if (!fix_is_form(x, &f))
        from = draft_reshape(d, from, f.dim, f.rank, -1);
    for (uint32_t i = 0, first = 0; i < n; i++)
        if (i + 1 == n || index[i + 1] != index[i] + 1) {
            const int32_t lo = index[first], hi = index[i] + 1;

            part[k++] = lo == 0 && hi == at.at ? from : slice(d, from, f, lo, hi, runs == 1 ? direct : -1);
            first = i + 1;
        }
    if (k > 1)
        part[0] = draft_concat(d, part, k, f.axis, direct, to.dim, to.rank);
    if (part[0] != (int32_t)y->index)
        draft_reshape(d, part[0], y->dim, y->rank, (int32_t)y->index);
    return true;
}
