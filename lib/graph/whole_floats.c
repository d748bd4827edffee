/* SPDX-License-Identifier: Apache-2.0 */
/* whole_floats.c - see whole_floats.h */
#include "lib/graph/whole_floats.h"

bool whole_floats_needs(const struct node *n)
{
    return n->builtin == BUILTIN_QUANTIZE || n->builtin == BUILTIN_FAKE_QUANT || n->builtin == BUILTIN_FLOOR_DIV ||
           n->builtin == BUILTIN_FLOOR_MOD;
}

static bool only_moves(const struct node *n)
{
    static const int32_t moving[] = {
        BUILTIN_BATCH_TO_SPACE_ND,
        BUILTIN_BROADCAST_TO,
        BUILTIN_CONCATENATION,
        BUILTIN_DEPTH_TO_SPACE,
        BUILTIN_EXPAND_DIMS,
        BUILTIN_GATHER,
        BUILTIN_GATHER_ND,
        BUILTIN_MIRROR_PAD,
        BUILTIN_PACK,
        BUILTIN_PAD,
        BUILTIN_PADV2,
        BUILTIN_RESHAPE,
        BUILTIN_RESIZE_NEAREST_NEIGHBOR,
        BUILTIN_REVERSE_V2,
        BUILTIN_SLICE,
        BUILTIN_SPACE_TO_BATCH_ND,
        BUILTIN_SPACE_TO_DEPTH,
        BUILTIN_SPLIT,
        BUILTIN_SPLIT_V,
        BUILTIN_SQUEEZE,
        BUILTIN_STRIDED_SLICE,
        BUILTIN_TILE,
        BUILTIN_TRANSPOSE,
        BUILTIN_UNPACK,
    };

    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        if (moving[i] == n->builtin)
            return true;
    return false;
}

static bool makes_marked(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && n->out[i]->stays_float32)
            return true;
    return false;
}

bool whole_floats_reads(const struct node *n)
{
    return whole_floats_needs(n) || (only_moves(n) && makes_marked(n));
}

/* Readers are met before makers. */
void whole_floats_mark(struct graph *g)
{
    for (uint32_t i = g->n_nodes; i-- > 0;) {
        const struct node *n = &g->nodes[i];
        const bool whole = whole_floats_reads(n);

        for (uint32_t k = 0; whole && k < n->n_in; k++)
            if (n->in[k] && n->in[k]->type == TYPE_FLOAT32)
                n->in[k]->stays_float32 = true;
    }
}
