/* SPDX-License-Identifier: Apache-2.0 */
/* rules_dynamic.c - the shapes of a graph that TFLite knows only while running.
 *
 * TFLite knows fewer than this program, which folds all it can: while preparing a model it computes shapes and slices of them, but
 * no arithmetic on them. */
#include "lib/rules/rules_impl.h"

/* The operators whose output shape is the content of these inputs, as bits. */
static const struct {
    int32_t builtin;
    uint32_t inputs;
} shape_readers[] = {
    {BUILTIN_RESHAPE, 2},
    {BUILTIN_SPACE_TO_BATCH_ND, 6},
    {BUILTIN_BATCH_TO_SPACE_ND, 6},
    {BUILTIN_RESIZE_BILINEAR, 2},
    {BUILTIN_RESIZE_NEAREST_NEIGHBOR, 2},
    {BUILTIN_STRIDED_SLICE, 14},
    {BUILTIN_SLICE, 6},
    {BUILTIN_FILL, 1},
    {BUILTIN_TILE, 2},
    {BUILTIN_BROADCAST_TO, 2},
    {BUILTIN_PAD, 2},
    {BUILTIN_PADV2, 2},
    {BUILTIN_MIRROR_PAD, 2},
    {BUILTIN_TRANSPOSE, 2},
    {BUILTIN_EXPAND_DIMS, 2},
    {BUILTIN_TRANSPOSE_CONV, 1},
    {BUILTIN_RANGE, 7},
    {BUILTIN_SUM, 2},
    {BUILTIN_MEAN, 2},
    {BUILTIN_REDUCE_MAX, 2},
    {BUILTIN_REDUCE_MIN, 2},
    {BUILTIN_REDUCE_PROD, 2},
};

/* What it computes at once where it knows all inputs. */
static const int32_t computed_early[] = {BUILTIN_STRIDED_SLICE, BUILTIN_MUL,   BUILTIN_GATHER,        BUILTIN_CONCATENATION,
                                         BUILTIN_REDUCE_PROD,   BUILTIN_RANGE, BUILTIN_BROADCAST_ARGS};

static bool makes_early(const struct node *n, const struct tensor_uses *uses)
{
    bool listed = false;

    if (n->builtin == BUILTIN_SHAPE || n->builtin == BUILTIN_RANK)
        return true;
    for (size_t i = 0; i < sizeof computed_early / sizeof *computed_early; i++)
        listed |= n->builtin == computed_early[i];
    for (uint32_t i = 0; i < n->n_in && listed; i++)
        listed = n->in[i] && uses[n->in[i]->index].known_early;
    return listed;
}

void rules_find_uses(const struct graph *g, struct tensor_uses *uses)
{
    for (uint32_t i = 0; i < g->n_tensors; i++)
        uses[i].known_early = rules_is_const(g, &g->tensors[i]);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        const bool early = makes_early(n, uses);

        for (uint32_t k = 0; k < n->n_in; k++)
            if (n->in[k]) {
                struct tensor_uses *u = &uses[n->in[k]->index];

                u->reader = u->readers++ ? u->reader : n;
            }
        for (uint32_t k = 0; k < n->n_out; k++)
            if (n->out[k]) {
                uses[n->out[k]->index].writer = n;
                uses[n->out[k]->index].known_early = early;
            }
    }
}

static bool reads_a_shape(const struct asking *q, const struct node *n)
{
    for (size_t k = 0; k < sizeof shape_readers / sizeof *shape_readers; k++)
        for (uint32_t i = 0; n->builtin == shape_readers[k].builtin && i < n->n_in; i++)
            if ((shape_readers[k].inputs >> i & 1) && n->in[i] && !q->uses[n->in[i]->index].known_early)
                return true;
    return false;
}

/* Where a composite stands, the file has the shapes, and TFLite uses those; what follows it is known then, too. */
static bool is_source(const struct asking *q, const struct node *n)
{
    if (n->dynamic && n->builtin != BUILTIN_STABLEHLO_COMPOSITE) {
        bool follows = false;

        for (uint32_t i = 0; i < n->n_in; i++) {
            const struct node *writer = n->in[i] ? q->uses[n->in[i]->index].writer : NULL;

            follows |= writer && writer->dynamic;
        }
        if (!follows)
            return true;
    }
    return reads_a_shape(q, n);
}

int64_t rules_dynamic_tensor(const struct asking *q)
{
    for (uint32_t i = 0; i < q->g->n_nodes; i++) {
        const struct node *n = &q->g->nodes[i];

        for (uint32_t k = 0; k < n->n_out; k++)
            if (n->out[k] && is_source(q, n))
                return n->out[k]->index;
    }
    return -1;
}
