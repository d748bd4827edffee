/* SPDX-License-Identifier: Apache-2.0 */
/* index_range.c - the walk in the order of execution, and two tables: who passes values on, who reads them as what. */
#include "lib/graph/index_range.h"

#include <stdlib.h>

/* Values of constants and offsets stay below this, so that sums of them fit. */
#define FAR ((int64_t)1 << 40)

struct bound {
    int64_t lo, hi;
};

/* False where the node says nothing about the operand's values. */
typedef bool (*bound_fn)(const struct node *n, struct bound *out);

static bool places(int64_t n, struct bound *out)
{
    *out = (struct bound){0, n - 1};
    return n > 0;
}

static bool gather_rows(const struct node *n, struct bound *out)
{
    const struct tensor *x = n->in[0];
    const struct opt_gather *opt = n->opt;
    int32_t axis = opt->axis < 0 ? opt->axis + x->rank : opt->axis;

    return axis >= 0 && axis < x->rank && places(x->dim[axis], out);
}

/* Of the first `count` dimensions: one range serves all columns of the indices. */
static bool shortest(const struct tensor *x, int32_t count, struct bound *out)
{
    int32_t least = INT32_MAX;

    for (int32_t i = 0; i < count && i < x->rank; i++)
        least = x->dim[i] < least ? x->dim[i] : least;
    return count > 0 && x->rank > 0 && places(least, out);
}

static bool gather_nd_places(const struct node *n, struct bound *out)
{
    const struct tensor *index = n->in[1];

    return index->rank > 0 && shortest(n->in[0], index->dim[index->rank - 1], out);
}

static bool first_dimension(const struct tensor *table, struct bound *out)
{
    return table && shortest(table, 1, out);
}

static bool lookup_rows(const struct node *n, struct bound *out)
{
    return first_dimension(node_in(n, 1), out);
}

static bool sparse_lookup_rows(const struct node *n, struct bound *out)
{
    return first_dimension(node_in(n, 4), out);
}

static bool extremes(const struct tensor *t, struct bound *out)
{
    size_t elems = t && t->is_const && t->data ? tensor_elems(t) : 0;

    if (!elems || (t->type != TYPE_INT32 && t->type != TYPE_INT64))
        return false;
    *out = (struct bound){INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < elems; i++) {
        int64_t v = tensor_int(t, i);

        out->lo = v < out->lo ? v : out->lo;
        out->hi = v > out->hi ? v : out->hi;
    }
    return -FAR < out->lo && out->hi < FAR;
}

/* Of a constant operand that holds lengths, the shortest. */
static bool places_in(const struct tensor *lengths, struct bound *out)
{
    return extremes(lengths, out) && places(out->lo, out);
}

static bool scatter_places(const struct node *n, struct bound *out)
{
    return places_in(node_in(n, 2), out);
}

static bool dense_places(const struct node *n, struct bound *out)
{
    return places_in(node_in(n, 1), out);
}

static bool hash_keys(const struct node *n, struct bound *out)
{
    return extremes(node_in(n, 1), out);
}

/* A part begins where the longest that its shape allows still fits. */
static bool begins(const struct tensor *x, const struct tensor *part, struct bound *out)
{
    int32_t least = INT32_MAX;

    if (!part || part->is_dynamic || part->rank != x->rank || !x->rank)
        return places(1, out);
    for (int32_t i = 0; i < x->rank; i++)
        least = x->dim[i] - part->dim[i] < least ? x->dim[i] - part->dim[i] : least;
    return places((int64_t)least + 1, out);
}

static bool slice_begins(const struct node *n, struct bound *out)
{
    return begins(n->in[0], node_in(n, 2) && node_in(n, 2)->is_const ? node_out(n, 0) : NULL, out);
}

static bool update_begins(const struct node *n, struct bound *out)
{
    return begins(n->in[0], node_in(n, 1), out);
}

static bool strided_begins(const struct node *n, struct bound *out)
{
    return shortest(n->in[0], n->in[0]->rank, out);
}

static bool strided_ends(const struct node *n, struct bound *out)
{
    if (!shortest(n->in[0], n->in[0]->rank, out))
        return false;
    *out = (struct bound){1, out->hi + 1};
    return true;
}

static bool sequence_lengths(const struct node *n, struct bound *out)
{
    const struct opt_reverse_sequence *opt = n->opt;
    const struct tensor *x = n->in[0];

    if (opt->seq_dim < 0 || opt->seq_dim >= x->rank)
        return false;
    *out = (struct bound){0, x->dim[opt->seq_dim]};
    return true;
}

static bool half_integers(const struct node *n, struct bound *out)
{
    *out = (struct bound){0, 2047};
    return type_is_float(n->out[0]->type) && type_bits(n->in[0]->type) >= 32;
}

static const struct {
    int32_t builtin;
    uint32_t operand;
    bound_fn bound;
    int64_t most; /* without `bound`: from 1 to that */
} readers[] = {
    {BUILTIN_GATHER, 1, gather_rows},
    {BUILTIN_GATHER_ND, 1, gather_nd_places},
    {BUILTIN_EMBEDDING_LOOKUP, 0, lookup_rows},
    {BUILTIN_EMBEDDING_LOOKUP_SPARSE, 0, sparse_lookup_rows},
    {BUILTIN_HASHTABLE_LOOKUP, 0, hash_keys},
    {BUILTIN_ONE_HOT, 0, dense_places},
    {BUILTIN_ONE_HOT, 1, .most = 16},
    {BUILTIN_SCATTER_ND, 0, scatter_places},
    {BUILTIN_SPARSE_TO_DENSE, 0, dense_places},
    {BUILTIN_UNSORTED_SEGMENT_SUM, 1, scatter_places},
    {BUILTIN_UNSORTED_SEGMENT_MAX, 1, scatter_places},
    {BUILTIN_UNSORTED_SEGMENT_MIN, 1, scatter_places},
    {BUILTIN_UNSORTED_SEGMENT_PROD, 1, scatter_places},
    {BUILTIN_SLICE, 1, slice_begins},
    {BUILTIN_SLICE, 2, .most = 1},
    {BUILTIN_STRIDED_SLICE, 1, strided_begins},
    {BUILTIN_STRIDED_SLICE, 2, strided_ends},
    {BUILTIN_STRIDED_SLICE, 3, .most = 1},
    {BUILTIN_DYNAMIC_UPDATE_SLICE, 2, update_begins},
    {BUILTIN_REVERSE_SEQUENCE, 1, sequence_lengths},
    {BUILTIN_TILE, 1, .most = 2},
    {BUILTIN_PAD, 1, .most = 2},
    {BUILTIN_PADV2, 1, .most = 2},
    {BUILTIN_FILL, 0, .most = 8},
    {BUILTIN_RANGE, 1, .most = 16},
    {BUILTIN_CAST, 0, half_integers},
};

/* Bit k: the values of operand k are among those of the outputs. */
static const struct {
    int32_t builtin;
    uint32_t operands;
} passers[] = {
    {BUILTIN_RESHAPE, 1},
    {BUILTIN_SQUEEZE, 1},
    {BUILTIN_EXPAND_DIMS, 1},
    {BUILTIN_CAST, 1},
    {BUILTIN_SLICE, 1},
    {BUILTIN_STRIDED_SLICE, 1},
    {BUILTIN_TRANSPOSE, 1},
    {BUILTIN_TILE, 1},
    {BUILTIN_GATHER, 1},
    {BUILTIN_GATHER_ND, 1},
    {BUILTIN_REVERSE_V2, 1},
    {BUILTIN_REVERSE_SEQUENCE, 1},
    {BUILTIN_SPLIT_V, 1},
    {BUILTIN_SPLIT, 2},
    {BUILTIN_BROADCAST_TO, 1},
    {BUILTIN_UNPACK, 1},
    {BUILTIN_PAD, 1},
    {BUILTIN_PADV2, 1},
    {BUILTIN_MIRROR_PAD, 1},
    {BUILTIN_SELECT, 6},
    {BUILTIN_SELECT_V2, 6},
    {BUILTIN_MAXIMUM, 3},
    {BUILTIN_MINIMUM, 3},
    {BUILTIN_DYNAMIC_UPDATE_SLICE, 3},
    {BUILTIN_PACK, UINT32_MAX},
    {BUILTIN_CONCATENATION, UINT32_MAX},
    {BUILTIN_SPACE_TO_DEPTH, 1},
    {BUILTIN_DEPTH_TO_SPACE, 1},
};

/* What a tensor holds: numbers of the input, plus `offset`. */
struct mark {
    bool reached;
    int64_t offset;
};

struct walk {
    const struct graph *g;
    struct mark *marks; /* [tensors] */
    struct index_range *range;
};

static bool passes(int32_t builtin, uint32_t operand)
{
    for (size_t i = 0; i < sizeof passers / sizeof *passers; i++)
        if (passers[i].builtin == builtin)
            return operand < 32 ? passers[i].operands >> operand & 1 : passers[i].operands == UINT32_MAX;
    return false;
}

/* A constant of one value added or subtracted shifts the numbers. Their negative is not followed. */
static bool shift_of(const struct node *n, uint32_t operand, int64_t *shift)
{
    bool subtracted = n->builtin == BUILTIN_SUB && operand == 0;
    struct bound c;

    if ((n->builtin != BUILTIN_ADD && !subtracted) || n->n_in != 2 || !extremes(n->in[1 - operand], &c) || c.lo != c.hi)
        return false;
    *shift = subtracted ? -c.lo : c.lo;
    return true;
}

/* Of two ways to a tensor the one with the smaller shift counts: SELECT(x < 0, x + length, x) is how negative indices are read. */
static void reach(struct walk *w, const struct node *n, int64_t offset)
{
    for (uint32_t i = 0; i < n->n_out; i++) {
        struct mark *m = n->out[i] ? &w->marks[n->out[i]->index] : NULL;

        if (m && llabs(offset) < FAR && (!m->reached || llabs(offset) < llabs(m->offset)))
            *m = (struct mark){true, offset};
    }
}

static void narrow(struct walk *w, const struct node *n, struct bound b)
{
    struct index_range *r = w->range;
    int64_t lo = r->node && r->lo > b.lo ? r->lo : b.lo, hi = r->node && r->hi < b.hi ? r->hi : b.hi;

    if (lo <= hi && (!r->node || lo != r->lo || hi != r->hi))
        *r = (struct index_range){lo, hi, n};
}

static void read_operand(struct walk *w, const struct node *n, uint32_t k, int64_t offset)
{
    int64_t shift = 0;

    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        struct bound b = {1, readers[i].most};

        if (readers[i].builtin == n->builtin && readers[i].operand == k && (!readers[i].bound || readers[i].bound(n, &b)))
            narrow(w, n, (struct bound){b.lo - offset, b.hi - offset});
    }
    if (passes(n->builtin, k) || shift_of(n, k, &shift))
        reach(w, n, offset + shift);
}

enum status index_range_find(const struct graph *g, const struct tensor *input, struct index_range *out, struct err *err)
{
    struct walk w = {.g = g, .range = out};

    *out = (struct index_range){0};
    if (input->quant.n || !type_is_integer(input->type))
        return ST_OK;
    if (!(w.marks = calloc(g->n_tensors, sizeof *w.marks)))
        return err_set(err, ST_NOMEM, "out of memory for a walk over %u tensors", g->n_tensors);
    w.marks[input->index].reached = true;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];

        for (uint32_t k = 0; k < n->n_in && n->op; k++)
            if (n->in[k] && w.marks[n->in[k]->index].reached)
                read_operand(&w, n, k, w.marks[n->in[k]->index].offset);
    }
    free(w.marks);
    return ST_OK;
}
