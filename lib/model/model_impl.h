/* SPDX-License-Identifier: Apache-2.0 */
/* model_impl.h - declarations shared by the loader's sources, for them alone.
 *
 * model_open.c maps a file and checks its first bytes, model.c reads the root table, model_external.c stores, model_tensor.c
 * tensors, model_sparse.c sparsity, model_data.c attaches constants to tensors, model_graph.c reads subgraphs and checks indices,
 * model_options.c reads operators' options, model_calls.c checks calls between subgraphs. All report failures through fb.st (fb.h).
 */
#pragma once

#include "lib/base/fb.h"
#include "lib/model/model.h"
#include "schema/file.h"

struct loader {
    struct fb fb;
    struct model *m;
    const struct weight_places *places;     /* of external buffers; NULL: nowhere */
    const struct model_external *externals; /* [n_externals] by id */
    uint32_t n_externals, n_file_buffers;   /* the first external buffer is number n_file_buffers */
};

/* Check that the data begins like a model. If not, the message names the kind of file that it resembles. */
enum status model_sniff(const uint8_t *data, size_t bytes, struct err *err);

/* Convert the file's numbering of tensor types to ours (TYPE_NONE for numbers beyond it) and back (-1 for TYPE_NONE). */
enum tensor_type model_type_from_file(int8_t number);
int8_t model_type_to_file(enum tensor_type type);

/* Return a pointer to a buffer stored after the flatbuffer, or NULL after a failure: `offset` and `size` must lie in the file. */
const uint8_t *model_outside(struct loader *l, uint64_t offset, uint64_t size, const char *what);

/* Read groups and external buffers, and map what they use of their stores. After the buffers, and before tensors. */
void model_read_external(struct loader *l, const struct fb_table *root);

/* Return the number of the buffer of that id; 0, with a failure, if there is none. */
uint32_t model_external_buffer(struct loader *l, uint32_t id);

void model_read_tensor(struct loader *l, const struct fb_table *from, struct tensor *t);
void model_read_sparsity(struct loader *l, const struct fb_table *from, struct tensor *t);

/* Check the sparsity of `t` level by level, and store the number of values that its buffer must hold. */
void model_check_sparsity(struct loader *l, const struct tensor *t, size_t *values);

/* Point `t` to its constant, if it has one, after checking the length against type and shape. */
void model_attach_data(struct loader *l, struct tensor *t);

/* Read the options of whichever union `from`, an Operator, uses. */
void model_read_options(struct loader *l, const struct fb_table *from, struct model_op *op);

void model_read_subgraph(struct loader *l, const struct fb_table *from, struct model_subgraph *g);

/* Check that subgraph references are in range, and that no subgraph calls itself. After all subgraphs are read. */
void model_check_calls(struct loader *l);
