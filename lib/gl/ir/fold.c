/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - see fold.h */
#include "lib/gl/ir/fold.h"

#include <limits.h>

static struct ir_fold right_aligned(int32_t rank)
{
    struct ir_fold f = {.at = {0}};

    for (int32_t i = 1; i < 5; i++)
        f.at[i] = i < 4 - rank ? 0 : i - (4 - rank);
    return f;
}

struct ir_fold ir_fold_stored(const int32_t *dim, int32_t rank)
{
    int32_t ones = 0;

    if (rank <= 4)
        return right_aligned(rank);
    while (ones < rank - 4 && dim[ones] == 1)
        ones++;
    return (struct ir_fold){.at = {0, ones == rank - 4 ? rank - 3 : 1, rank - 2, rank - 1, rank}};
}

static int32_t product(const int32_t *dim, int32_t from, int32_t to)
{
    int32_t all = 1;

    for (int32_t i = from; i < to; i++)
        if (__builtin_mul_overflow(all, dim[i], &all))
            return INT32_MAX;
    return all;
}

struct ir_shape ir_fold_shape(const struct ir_fold *f, const int32_t *dim)
{
    const int32_t *at = f->at;

    return (struct ir_shape){product(dim, at[0], at[1]), product(dim, at[1], at[2]), product(dim, at[2], at[3]),
                             product(dim, at[3], at[4])};
}

/* Where run i lies among those of the tensor: by an axis that is longer than one element, for others may be anywhere. */
static int32_t place(const struct ir_fold *f, const struct ir_folded *t, int i)
{
    for (int32_t k = f->at[i]; k < f->at[i + 1]; k++)
        if (t->dim[t->order[k]] > 1)
            return t->order[k];
    return f->at[i] < f->at[i + 1] ? t->order[f->at[i]] : i - 4;
}

struct ir_shape ir_fold_permuted(const struct ir_fold *f, const struct ir_folded *t, int to[4])
{
    int32_t extent[4];

    for (int i = 0; i < 4; i++) {
        int32_t all = 1;

        to[i] = 0;
        for (int k = 0; k < 4; k++)
            to[i] += place(f, t, k) < place(f, t, i);
        for (int32_t k = f->at[i]; k < f->at[i + 1]; k++)
            if (__builtin_mul_overflow(all, t->dim[t->order[k]], &all))
                all = INT32_MAX;
        extent[to[i]] = all;
    }
    return (struct ir_shape){extent[0], extent[1], extent[2], extent[3]};
}

int ir_fold_axis(const struct ir_fold *f, int32_t axis)
{
    int i = 0;

    while (axis >= f->at[i + 1])
        i++;
    return i;
}

uint32_t ir_fold_apart(const int32_t *key, int32_t rank)
{
    uint32_t apart = 0;
    int32_t last = -1;

    for (int32_t i = 0; i < rank; i++) {
        if (key[i] < 0)
            continue;
        if (last >= 0 && key[i] != last)
            apart |= 1u << i;
        last = key[i];
    }
    return apart;
}

uint32_t ir_fold_around(const int32_t *dim, int32_t rank, int32_t axis)
{
    int32_t key[TENSOR_MAX_RANK];

    for (int32_t i = 0; i < rank; i++)
        key[i] = i == axis ? 1 : dim[i] == 1 ? -1 : 2 * (i > axis);
    return ir_fold_apart(key, rank);
}

/* Its vec4 lie in the order of its elements. */
static bool is_dense(struct ir_shape s)
{
    return s.c % 4 == 0 && (s.c == 4 || (s.h == 1 && s.w == 1));
}

bool ir_same_order(struct ir_shape x, struct ir_shape y)
{
    return (x.c == y.c && (x.b == y.b || x.c <= 4)) || (is_dense(x) && is_dense(y));
}

static uint64_t copies(const struct ir_fold *f, const struct ir_folded *t)
{
    int to[4];
    struct ir_shape s = t->order ? ir_fold_permuted(f, t, to) : ir_fold_shape(f, t->dim);

    return t->free || ir_same_order(t->stored, s) ? 0 : ir_elems(t->stored);
}

/* The fold whose runs begin at the axes of the set. */
static struct ir_fold cut(int32_t rank, uint32_t begins)
{
    struct ir_fold f = {.at = {0}};
    int n = 0;

    for (int32_t i = 1; i < rank; i++)
        if (begins >> i & 1)
            f.at[++n] = i;
    f.at[4] = rank;
    return f;
}

bool ir_fold_best(int32_t rank, uint32_t apart, const struct ir_folded *t, uint32_t n, struct ir_fold *out)
{
    bool found = false;

    if (rank <= 4) {
        *out = right_aligned(rank);
        return true;
    }
    for (uint32_t begins = 2; begins < 1u << rank; begins += 2) {
        struct ir_fold f;

        if (__builtin_popcount(begins) != 3 || (begins & apart) != apart)
            continue;
        f = cut(rank, begins);
        for (uint32_t i = 0; i < n; i++)
            f.copies += copies(&f, &t[i]);
        if (!found || f.copies < out->copies)
            *out = f;
        found = true;
    }
    return found;
}
