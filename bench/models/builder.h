/* SPDX-License-Identifier: Apache-2.0 */
/* builder.h - puts a model together tensor by tensor, for tests and for the demo networks.
 *
 *   struct builder b;
 *   builder_init(&b, "one relu");
 *   x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 8, 8, 3));
 *   y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 8, 8, 3));
 *   build_op(&b, BUILTIN_RELU, 1, NULL, INDICES(x), INDICES(y));
 *   build_inputs(&b, INDICES(x));
 *   build_outputs(&b, INDICES(y));
 *   st = builder_write(&b, "relu.tflite", &err);
 *   builder_fini(&b);
 *
 * The first failure (only memory can fail) sticks and is told by builder_write and builder_serialize. Everything given is
 * copied, names and constants too. */
#ifndef DELEGAUGE_BENCH_MODELS_BUILDER_H
#define DELEGAUGE_BENCH_MODELS_BUILDER_H

#include "lib/model/model.h"

#define SHAPE(...)   (const int32_t[]){__VA_ARGS__}, (int32_t)(sizeof((int32_t[]){__VA_ARGS__}) / 4)
#define SCALAR       (const int32_t[]){0}, 0
#define INDICES(...) (const int32_t[]){__VA_ARGS__}, (uint32_t)(sizeof((int32_t[]){__VA_ARGS__}) / 4)

struct builder {
    struct model model;
    struct model_subgraph *graph; /* the one that build_* adds to */
    struct arena arena;
    enum status st;
};

/* An empty model with one subgraph, "main". */
void builder_init(struct builder *b, const char *description);
void builder_fini(struct builder *b);

/* Begins another subgraph; returns its index. */
uint32_t build_subgraph(struct builder *b, const char *name);

/* Each returns the index of the new tensor. A constant's `data` has as many bytes as its type and shape say. */
int32_t build_tensor(struct builder *b, const char *name, enum tensor_type type, const int32_t *dim, int32_t rank);
int32_t build_const(struct builder *b, const char *name, enum tensor_type type, const int32_t *dim, int32_t rank, const void *data);

/* Return the tensor itself, to set fields that build_tensor does not set; valid until the next tensor is built. */
struct tensor *build_at(struct builder *b, int32_t tensor);

/* Quantizes a tensor per tensor. */
void build_quant(struct builder *b, int32_t tensor, float scale, int64_t zero_point);

/* `opt` is the op's struct opt_*, or NULL. An input of -1 is omitted. */
void build_op(struct builder *b, enum builtin op, int32_t version, const void *opt, const int32_t *in, uint32_t n_in,
              const int32_t *out, uint32_t n_out);
void build_custom_op(struct builder *b, const char *name, const void *opt, size_t n_opt, const int32_t *in, uint32_t n_in,
                     const int32_t *out, uint32_t n_out);

void build_inputs(struct builder *b, const int32_t *tensors, uint32_t n);
void build_outputs(struct builder *b, const int32_t *tensors, uint32_t n);

/* A signature over the current subgraph's inputs and outputs, by these names. */
void build_signature(struct builder *b, const char *key, const char *const *inputs, const char *const *outputs);
void build_metadata(struct builder *b, const char *name, const void *data, size_t bytes);

enum status builder_serialize(const struct builder *b, uint8_t **out, size_t *bytes, struct err *err);
enum status builder_write(const struct builder *b, const char *path, struct err *err);

#endif
