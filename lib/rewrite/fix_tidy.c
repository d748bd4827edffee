/* SPDX-License-Identifier: Apache-2.0 */
/* fix_tidy.c - removes leftovers of rewrites: chains of RESHAPE, and operators that nothing needs. */
#include "lib/rewrite/fix_impl.h"

static bool is_reshape(const struct draft *d, const struct draft_op *o)
{
    const int32_t builtin = d->opcodes[o->op.opcode].builtin;

    return (builtin == BUILTIN_RESHAPE || builtin == BUILTIN_SQUEEZE || builtin == BUILTIN_EXPAND_DIMS) && o->op.n_inputs > 0;
}

static void merge_reshapes(struct draft *d)
{
    int32_t *maker = ARENA_ARRAY(d->a, d->n_tensors, int32_t);

    if (!maker) {
        d->st = ST_NOMEM;
        return;
    }
    for (uint32_t i = 0; i < d->n_tensors; i++)
        maker[i] = -1;
    for (uint32_t i = 0; i < d->n_ops; i++) {
        struct draft_op *o = &d->ops[i];
        int32_t *x = (int32_t *)o->op.inputs; /* the draft's own copy */

        if (is_reshape(d, o) && x[0] >= 0 && maker[x[0]] >= 0) {
            const struct draft_op *before = &d->ops[maker[x[0]]];

            if ((o->edit >= 0 || before->edit >= 0) && !d->tensors[before->op.inputs[0]].is_dynamic)
                x[0] = before->op.inputs[0];
        }
        for (uint32_t k = 0; k < o->op.n_outputs; k++)
            maker[o->op.outputs[k]] = is_reshape(d, o) ? (int32_t)i : -1;
    }
}

static void read_list(bool *read, const int32_t *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] >= 0)
            read[list[i]] = true;
}

/* What was read in the file, and is not now. */
static void bury(struct draft *d)
{
    const struct model_subgraph *from = &d->m->subgraphs[d->g->subgraph];
    bool *read = ARENA_ARRAY(d->a, d->n_tensors, bool), *was_read = ARENA_ARRAY(d->a, d->n_tensors, bool);

    if (!read || !was_read) {
        d->st = ST_NOMEM;
        return;
    }
    for (uint32_t i = 0; i < from->n_ops; i++)
        read_list(was_read, from->ops[i].inputs, from->ops[i].n_inputs);
    read_list(read, from->outputs, from->n_outputs);
    for (uint32_t i = 0; i < d->m->n_signatures; i++)
        for (uint32_t k = 0; d->m->signatures[i].subgraph == d->g->subgraph && k < d->m->signatures[i].n_outputs; k++)
            read[d->m->signatures[i].output_tensors[k]] = true;
    for (uint32_t i = d->n_ops; i-- > 0;) {
        struct draft_op *o = &d->ops[i];
        bool needed = o->op.n_outputs == 0;

        for (uint32_t k = 0; k < o->op.n_outputs; k++) {
            const int32_t y = o->op.outputs[k];

            needed |= read[y] || ((uint32_t)y < from->n_tensors && o->edit < 0 && !was_read[y]);
        }
        o->dead = !needed;
        if (needed)
            read_list(read, o->op.inputs, o->op.n_inputs);
    }
}

void draft_tidy(struct draft *d)
{
    uint32_t n = 0;

    if (!d->st)
        merge_reshapes(d);
    if (!d->st)
        bury(d);
    for (uint32_t i = 0; i < d->n_ops && !d->st; i++)
        if (!d->ops[i].dead)
            d->ops[n++] = d->ops[i];
    if (!d->st)
        d->n_ops = n;
}
