/* SPDX-License-Identifier: Apache-2.0 */
/* extract_impl.h - what the files of the extraction share; not for others. */
#ifndef DELEGAUGE_EXTRACT_IMPL_H
#define DELEGAUGE_EXTRACT_IMPL_H

#include "lib/rewrite/extract.h"

#define EXTRACT_NONE UINT32_MAX

struct extraction {
    const struct graph *g;
    struct arena *a;
    struct model *m; /* that is made; subgraphs[0] is `sub` */
    struct model_subgraph *sub;
    bool *taken;           /* [graph nodes] those that were chosen and run, and those that they need beside them */
    uint32_t *tensor_at;   /* [graph tensors] index in the new model, or EXTRACT_NONE */
    uint32_t *opcode_at;   /* [model opcodes] likewise */
    uint32_t *buffer_at;   /* [model buffers] likewise */
    uint32_t *subgraph_at; /* [model subgraphs] likewise */
    uint32_t *source;      /* [new subgraphs] index in the old model, from 1 on */
    int32_t *inputs, *outputs;
};

static inline enum status extract_nomem(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the extracted model");
}

static inline bool extract_is_handle(const struct tensor *t)
{
    return t->type == TYPE_RESOURCE || t->type == TYPE_VARIANT;
}

/* Fills x->taken from chosen[graph nodes], as extract_nodes has it: adds the handles and what sets their resources at first, takes
 * away reads of variables that nothing of it sets. */
enum status extract_take(struct extraction *x, const bool *chosen, struct err *err);

/* The number that the model's buffer has in the new one; it is added at first. Buffer 0 stays 0, and is empty. */
uint32_t extract_buffer(struct extraction *x, uint32_t buffer);

/* Gives *op, which has the model's numbers, those of the new one for its code and the subgraphs that it calls. */
enum status extract_renumber(struct extraction *x, struct model_op *op, struct err *err);

/* Adds the subgraphs that were met, and those that they call in turn, as they are. */
enum status extract_called(struct extraction *x, struct err *err);

#endif
