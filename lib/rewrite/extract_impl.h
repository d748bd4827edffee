/* SPDX-License-Identifier: Apache-2.0 */
/* extract_impl.h - declarations that the files of the extraction share; not for others. */
#ifndef DELEGAUGE_EXTRACT_IMPL_H
#define DELEGAUGE_EXTRACT_IMPL_H

#include "lib/rewrite/extract.h"

#define EXTRACT_NONE UINT32_MAX

struct extraction {
    const struct graph *g;
    struct arena *a;
    struct model *m; /* the model that is made; subgraphs[0] is `sub` */
    struct model_subgraph *sub;
    bool *taken;           /* [graph nodes] the chosen nodes that run, and the nodes that they need beside them */
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

/* Fill x->taken from chosen[graph nodes], as extract_nodes has it: add the handles and the nodes that first set their resources,
 * take away reads of variables that nothing in it sets. */
enum status extract_take(struct extraction *x, const bool *chosen, struct err *err);

/* Return the number of the model's buffer in the new model, to which the first call adds it. Buffer 0 stays 0, and is empty. */
uint32_t extract_buffer(struct extraction *x, uint32_t buffer);

/* Renumber *op, which has the model's numbers: its code and the subgraphs that it calls get the new model's. */
enum status extract_renumber(struct extraction *x, struct model_op *op, struct err *err);

/* Add the subgraphs that were met, and the subgraphs that they call in turn, as they are. */
enum status extract_called(struct extraction *x, struct err *err);

#endif
