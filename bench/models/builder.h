/* SPDX-License-Identifier: Apache-2.0 */
/* builder.h - builds a model tensor by tensor, for tests and for the demo networks.
 *
 *   struct builder b;
 *   builder_init(&b, "one relu");
 *   x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 8, 8, 3));
 *   y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 8, 8, 3));
 *   build_op(&b, BUILTIN_RELU, 1, NULL, INDICES(x), INDICES(y));
 *   build_ends(&b, INDICES(x), INDICES(y));
 *   st = builder_write(&b, "relu.tflite", &err);
 *   builder_fini(&b);
 *
 * The first failure (only ST_NOMEM) is kept and returned by builder_write and builder_serialize. All arguments are copied, names
 * and constants too. */
#pragma once

#include "lib/model/model.h"

#define SHAPE(...)   (const int32_t[]){__VA_ARGS__}, (int32_t)(sizeof((int32_t[]){__VA_ARGS__}) / 4)
#define SCALAR       (const int32_t[]){0}, 0
#define INDICES(...) (const int32_t[]){__VA_ARGS__}, (uint32_t)(sizeof((int32_t[]){__VA_ARGS__}) / 4)

struct builder {
    struct model model;
    struct model_subgraph *graph; /* current subgraph, to which build_* add */
    struct arena arena;
    enum status st;
};

/* Begin an empty model with one subgraph, "main". */
void builder_init(struct builder *b, const char *description);
void builder_fini(struct builder *b);

/* Begin another subgraph, which becomes the current one. Returns its index. */
uint32_t build_subgraph(struct builder *b, const char *name);

/* Add a tensor or constant and return its index. `data` has as many bytes as type and shape need. */
int32_t build_tensor(struct builder *b, const char *name, enum tensor_type type, const int32_t *dim, int32_t rank);
int32_t build_const(struct builder *b, const char *name, enum tensor_type type, const int32_t *dim, int32_t rank, const void *data);

/* Return a tensor, to set other members; valid until the next one is added. */
struct tensor *build_at(struct builder *b, int32_t tensor);

/* Quantize a tensor per tensor. */
void build_quant(struct builder *b, int32_t tensor, float scale, int64_t zero_point);

/* Add an operator. `opt` is its struct opt_*, or NULL; an input of -1 is omitted. */
void build_op(struct builder *b, enum builtin op, int32_t version, const void *opt, const int32_t *in, uint32_t n_in,
              const int32_t *out, uint32_t n_out);
void build_custom_op(struct builder *b, const char *name, const void *opt, size_t n_opt, const int32_t *in, uint32_t n_in,
                     const int32_t *out, uint32_t n_out);

void build_inputs(struct builder *b, const int32_t *tensors, uint32_t n);
void build_outputs(struct builder *b, const int32_t *tensors, uint32_t n);
void build_ends(struct builder *b, const int32_t *in, uint32_t n_in, const int32_t *out, uint32_t n_out); /* both */

/* Add a signature with these names for the current subgraph's inputs and outputs. */
void build_signature(struct builder *b, const char *key, const char *const *inputs, const char *const *outputs);
void build_metadata(struct builder *b, const char *name, const void *data, size_t bytes);

enum status builder_serialize(const struct builder *b, uint8_t **out, size_t *bytes, struct err *err);
enum status builder_write(const struct builder *b, const char *path, struct err *err);
