/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_rank.c - adds axes before or behind those of all tensors of the highest rank, and updates constants that have a value for
 * each axis. */
#include <string.h>

#include "bench/fuzz/mutate.h"

#define MOST_RANK 6

/* What is said of a new axis by a constant that has a number, or a pair of numbers, for each. */
enum said {
    SAY_ORDER, /* all of it anew: a permutation */
    SAY_EXTENT,
    SAY_ZERO,
    SAY_ONE,
    SAY_ALL,  /* -1 */
    SAY_MOST, /* INT32_MAX */
    SAY_FEW   /* 1 to 3 */
};

static const struct axis_input {
    const char *op;
    uint32_t input;
    enum said said;
} axis_inputs[] = {
    {"TRANSPOSE", 1, SAY_ORDER}, {"BROADCAST_TO", 1, SAY_EXTENT}, {"SLICE", 1, SAY_ZERO},
    {"SLICE", 2, SAY_ALL},       {"STRIDED_SLICE", 1, SAY_ZERO},  {"STRIDED_SLICE", 2, SAY_MOST},
    {"TILE", 1, SAY_FEW},        {"STRIDED_SLICE", 3, SAY_ONE},   {"PAD", 1, SAY_FEW},
    {"PADV2", 1, SAY_FEW},       {"MIRROR_PAD", 1, SAY_ZERO},
};

/* The new axes. */
struct added {
    int32_t n, at, extent[MOST_RANK]; /* the first of them is axis `at` */
};

static uint64_t below(uint64_t *seed, uint64_t n)
{
    return splitmix_next(seed) % n;
}

static void insert(const struct added *add, int32_t *rank, int32_t *dim)
{
    memmove(dim + add->at + add->n, dim + add->at, (size_t)(*rank - add->at) * sizeof *dim);
    memcpy(dim + add->at, add->extent, (size_t)add->n * sizeof *dim);
    *rank += add->n;
}

static int32_t say(enum said said, int32_t extent, uint64_t *seed)
{
    switch (said) {
    case SAY_EXTENT: return extent;
    case SAY_ONE: return 1;
    case SAY_ALL: return -1;
    case SAY_MOST: return INT32_MAX;
    case SAY_FEW: return 1 + (int32_t)below(seed, 3);
    default: return 0;
    }
}

static void shuffle(int32_t *order, int32_t n, uint64_t *seed)
{
    for (int32_t i = 0; i < n; i++) {
        int32_t k = (int32_t)below(seed, (uint64_t)i + 1);

        order[i] = order[k];
        order[k] = i;
    }
}

/* False: out of memory. */
static bool say_more(struct case_tensor *t, const struct added *add, enum said said, uint64_t *seed, struct arena *a)
{
    int32_t each = t->rank == 2 ? t->dim[1] : 1, n = t->dim[0], rank = n + add->n;
    int32_t *to = ARENA_ARRAY(a, (size_t)rank * (size_t)each, int32_t);
    const int32_t *from = t->data;

    for (int32_t i = 0; to && i < rank; i++)
        for (int32_t k = 0; k < each; k++) {
            bool is_new = i >= add->at && i < add->at + add->n;

            to[i * each + k] = is_new ? say(said, add->extent[i - add->at], seed) : from[(i < add->at ? i : i - add->n) * each + k];
        }
    if (to && said == SAY_ORDER)
        shuffle(to, rank, seed);
    t->data = to;
    t->dim[0] = rank;
    return to;
}

static bool is_shape_free(const struct case_tensor *t)
{
    return t->type != TYPE_NONE && t->type != TYPE_STRING && t->fill != FILL_GIVEN && !t->data && !t->variable;
}

static int32_t highest_rank(const struct mutant *m)
{
    int32_t rank = 0;

    for (size_t i = 0; i < CASE_INPUTS; i++)
        if (is_shape_free(&m->c.in[i]) && m->c.in[i].rank > rank)
            rank = m->c.in[i].rank;
    return rank;
}

/* To all tensors of that rank. */
static bool add_axes(struct mutant *m, int32_t rank, struct added add, uint64_t *seed, struct arena *a)
{
    for (int32_t i = 0; i < add.n; i++)
        add.extent[i] = 1 + (int32_t)below(seed, 3);
    for (size_t i = 0; i < CASE_INPUTS; i++) {
        struct case_tensor *t = &m->c.in[i];

        if (is_shape_free(t) && t->rank == rank)
            insert(&add, t->constant ? &t->rank : &m->rank[i], t->constant ? t->dim : m->dim[i]);
    }
    for (size_t i = 0; i < sizeof axis_inputs / sizeof *axis_inputs; i++) {
        struct case_tensor *t = &m->c.in[axis_inputs[i].input];

        if (!strcmp(axis_inputs[i].op, m->ref.op->name) && t->type == TYPE_INT32 && t->constant && t->data && t->rank &&
            t->dim[0] == rank && !say_more(t, &add, axis_inputs[i].said, seed, a))
            return false;
    }
    return true;
}

bool mutate_rank(struct mutant *m, uint64_t *seed, struct arena *a)
{
    const int32_t rank = highest_rank(m);
    struct added add = {.n = 0};

    if (!rank || rank >= MOST_RANK || below(seed, 3))
        return true;
    add.n = 1 + (int32_t)below(seed, (uint64_t)(MOST_RANK - rank));
    add.at = below(seed, 2) ? rank : 0;
    return add_axes(m, rank, add, seed, a);
}

bool mutant_more_axes(struct mutant *m, int32_t n, struct arena *a)
{
    const int32_t rank = highest_rank(m);
    uint64_t seed = 1;

    return !n || (rank && rank + n <= MOST_RANK && add_axes(m, rank, (struct added){.n = n}, &seed, a));
}
