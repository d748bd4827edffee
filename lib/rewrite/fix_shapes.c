/* SPDX-License-Identifier: Apache-2.0 */
/* fix_shapes.c - constants, versions, and the same elements under another shape. */
#include <string.h>

#include "lib/rewrite/fix_rules.h"

/* What does not depend on the inputs' content; on their shapes it may, which are fixed then. The number of a variable is none of
 * it: each session numbers anew. */
bool fix_fold(struct draft *d, const struct node *n)
{
    if (!n->folded || !n->n_out)
        return false;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (!n->out[i] || !n->out[i]->is_const || !n->out[i]->data || tensor_is_among(n->out[i], d->g->outputs, d->g->n_outputs) ||
            n->out[i]->type == TYPE_RESOURCE || n->out[i]->type == TYPE_VARIANT)
            return false;
    for (uint32_t i = 0; i < n->n_out; i++)
        draft_make_const(d, n->out[i]);
    return true;
}

bool fix_lower(struct draft *d, const struct node *n)
{
    const struct tensor *in[DRAFT_MOST_OPERANDS], *out[DRAFT_MOST_OPERANDS];
    int32_t version;

    if (n->n_in > DRAFT_MOST_OPERANDS || n->n_out > DRAFT_MOST_OPERANDS || n->dynamic || n->builtin == BUILTIN_CUSTOM)
        return false;
    for (uint32_t i = 0; i < n->n_in; i++)
        in[i] = n->in[i];
    for (uint32_t i = 0; i < n->n_out; i++)
        out[i] = n->out[i];
    version = fix_version(n->builtin, n->opt, in, n->n_in, out, n->n_out);
    if (!version || version >= n->version)
        return false;
    draft_keep(d, n, version);
    return true;
}

/* SQUEEZE, EXPAND_DIMS, and RESHAPE whose shape is computed, but known. */
bool fix_to_reshape(struct draft *d, const struct node *n)
{
    const struct tensor *x = node_in(n, 0), *y = node_out(n, 0), *shape = node_in(n, 1);

    if (n->builtin == BUILTIN_RESHAPE && (!shape || d->m->subgraphs[d->g->subgraph].tensors[shape->index].is_const))
        return false;
    if (!x || !y || n->dynamic || x->is_dynamic || x->is_const || y->type != x->type)
        return false;
    draft_reshape(d, (int32_t)x->index, y->dim, y->rank, (int32_t)y->index);
    return true;
}

/* ---- TRANSPOSE ---- */

/* A permutation without dimensions of 1, and with those merged that stay neighbours: of shape dim[rank]. */
struct folded {
    int32_t dim[TENSOR_MAX_RANK], perm[TENSOR_MAX_RANK];
    int32_t rank;
};

static bool read_perm(const struct node *n, int32_t *perm)
{
    uint32_t n_perm;

    if (!fix_has(n, 2, 1) || n->in[0]->is_const || !fix_ints(n->in[1], TENSOR_MAX_RANK, perm, &n_perm) ||
        n_perm != (uint32_t)n->in[0]->rank)
        return false;
    for (uint32_t i = 0; i < n_perm; i++)
        if (perm[i] < 0 && (perm[i] += n->in[0]->rank) < 0)
            return false;
    return true;
}

static struct folded fold(const struct tensor *x, const int32_t *perm)
{
    struct folded f = {0};
    int32_t first[TENSOR_MAX_RANK], at[TENSOR_MAX_RANK] = {0}, last = -2;

    /* Groups in the order of the output, by the input's dimension with which each begins. */
    for (int32_t i = 0; i < x->rank; i++) {
        int32_t next = last + 1;

        if (x->dim[perm[i]] == 1)
            continue;
        while (last >= 0 && next < x->rank && x->dim[next] == 1)
            next++;
        if (last >= 0 && perm[i] == next) {
            f.dim[f.rank - 1] *= x->dim[perm[i]];
        } else {
            first[f.rank] = perm[i];
            f.dim[f.rank++] = x->dim[perm[i]];
        }
        last = perm[i];
    }
    for (int32_t i = 0; i < f.rank; i++)
        for (int32_t k = 0; k < f.rank; k++)
            at[i] += first[k] < first[i];
    memcpy(f.perm, at, sizeof at);
    return f;
}

bool fix_transpose_to_reshape(struct draft *d, const struct node *n)
{
    int32_t perm[TENSOR_MAX_RANK];

    if (!read_perm(n, perm) || fold(n->in[0], perm).rank > 1)
        return false;
    return fix_to_reshape(d, n);
}

bool fix_transpose_fold(struct draft *d, const struct node *n)
{
    enum { RANK = 4 };
    int32_t perm[TENSOR_MAX_RANK], x_dim[RANK], y_dim[RANK], x, y;
    struct folded f;

    if (!read_perm(n, perm))
        return false;
    f = fold(n->in[0], perm);
    if (f.rank < 2 || f.rank > RANK || (f.rank == RANK && n->in[0]->rank == RANK))
        return false;
    for (int32_t i = 0, lead = RANK - f.rank; i < RANK; i++) {
        y_dim[i] = i < lead ? 1 : f.dim[i - lead];
        perm[i] = i < lead ? i : f.perm[i - lead] + lead;
        x_dim[perm[i]] = y_dim[i];
    }
    x = draft_reshape(d, (int32_t)n->in[0]->index, x_dim, RANK, -1);
    y = draft_tensor(d, n->out[0], y_dim, RANK);
    draft_op(d, BUILTIN_TRANSPOSE, NULL, (const int32_t[]){x, draft_ints(d, perm, RANK)}, 2, &y, 1);
    draft_reshape(d, y, n->out[0]->dim, n->out[0]->rank, (int32_t)n->out[0]->index);
    return true;
}
