/* SPDX-License-Identifier: Apache-2.0 */
/* extract_impl.h - declarations shared by the files of extraction. */
#pragma once

#include "lib/rewrite/extract.h"

#define EXTRACT_NONE UINT32_MAX

struct extraction {
    const struct graph *g;
    struct arena *a;
    struct model *m; /* the new model; m->subgraphs[0] is `sub` */
    struct model_subgraph *sub;
    bool *taken;           /* [graph nodes] chosen nodes that remain, and the nodes that they need */
    uint32_t *tensor_at;   /* [graph tensors] index in the new model, or EXTRACT_NONE */
    uint32_t *opcode_at;   /* [model opcodes] index in the new model, or EXTRACT_NONE */
    uint32_t *buffer_at;   /* [model buffers] index in the new model, or EXTRACT_NONE */
    uint32_t *subgraph_at; /* [model subgraphs] index in the new model, or EXTRACT_NONE */
    uint32_t *source;      /* [new subgraphs] index in the old model; entry 0 is not used */
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

/* Fill x->taken from chosen[graph nodes] as extract_nodes describes: add the makers of handles and the nodes that first set their
 * resources; remove reads of variables that nothing in the new model sets. */
enum status extract_take(struct extraction *x, const bool *chosen, struct err *err);

/* Return the new model's index of a buffer of the old model, added at the first call. Buffer 0 stays 0 and is empty. */
uint32_t extract_buffer(struct extraction *x, uint32_t buffer);

/* Replace the operator code and the called subgraphs in *op, numbered as in the old model, by the new model's. */
enum status extract_renumber(struct extraction *x, struct model_op *op, struct err *err);

/* Add the subgraphs that renumbered operators call, and the subgraphs that these call, unchanged. */
enum status extract_called(struct extraction *x, struct err *err);
