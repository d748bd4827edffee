/* SPDX-License-Identifier: Apache-2.0 */
/* extract_called.c - subgraphs that an extracted node calls, copied whole and renumbered. */
#include "lib/rewrite/extract_impl.h"

uint32_t extract_buffer(struct extraction *x, uint32_t buffer)
{
    uint32_t *at;

    if (!buffer) /* never a constant, and a model need not have it */
        return 0;
    at = &x->buffer_at[buffer];
    if (*at == EXTRACT_NONE) {
        *at = x->m->n_buffers++;
        x->m->buffers[*at] = x->g->model->buffers[buffer];
    }
    return *at;
}

enum status extract_renumber(struct extraction *x, struct model_op *op, struct err *err)
{
    struct model_calls calls = {.op = op};
    uint32_t *code = &x->opcode_at[op->opcode], from;

    while (model_next_call(&calls, &from))
        if (x->subgraph_at[from] == EXTRACT_NONE) {
            x->source[x->m->n_subgraphs] = from;
            x->subgraph_at[from] = x->m->n_subgraphs++;
        }
    if (*code == EXTRACT_NONE) {
        *code = x->m->n_opcodes++;
        x->m->opcodes[*code] = x->g->model->opcodes[op->opcode];
    }
    op->opcode = *code;
    return model_op_renumber_calls(op, x->subgraph_at, x->a) ? ST_OK : extract_nomem(err);
}

static enum status add_subgraph(struct extraction *x, struct model_subgraph *to, const struct model_subgraph *from, struct err *err)
{
    enum status st = ST_OK;

    *to = *from;
    to->debug_metadata_index = -1;
    to->tensors = ARENA_ARRAY(x->a, from->n_tensors, struct tensor);
    to->ops = ARENA_ARRAY(x->a, from->n_ops, struct model_op);
    if (!to->tensors || !to->ops)
        return extract_nomem(err);
    for (uint32_t i = 0; i < from->n_tensors; i++) {
        to->tensors[i] = from->tensors[i];
        to->tensors[i].buffer = extract_buffer(x, from->tensors[i].buffer);
    }
    for (uint32_t i = 0; i < from->n_ops && !st; i++) {
        to->ops[i] = from->ops[i];
        st = extract_renumber(x, &to->ops[i], err);
    }
    return st;
}

enum status extract_called(struct extraction *x, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 1; i < x->m->n_subgraphs && !st; i++) /* there may be more after each */
        st = add_subgraph(x, &x->m->subgraphs[i], &x->g->model->subgraphs[x->source[i]], err);
    return st;
}
