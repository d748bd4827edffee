/* SPDX-License-Identifier: Apache-2.0 */
/* model.h - a .tflite file as plain structs: loaded and verified, or built in memory to be written.
 *
 * model_open maps the file and checks everything once (offsets, alignment, vector bounds, nesting, total table count, buffer
 * lengths against shape and type, indices in range, cycles of subgraph calls); code below trusts it. Constants stay at their place
 * in the map. model_write turns the same structs, filled by hand, into a file.
 *
 * A model is immutable once open: any number of sessions may use it, in any threads. It does not promise that operators have the
 * inputs, ranks and types that they need (kernels' `shape` and `prepare` find that out), or that a kernel exists at all. Field
 * numbers and the file's own forms are in schema/file.h. Strings are terminated; "" if the file has none, unless the member says
 * otherwise. */
#ifndef DELEGAUGE_MODEL_H
#define DELEGAUGE_MODEL_H

#include "lib/base/arena.h"
#include "lib/tensor/tensor.h"
#include "schema/options.h"

/* One entry of the file's list of operators in use. */
struct model_opcode {
    int32_t builtin;    /* BUILTIN_*, or a number beyond the known ones */
    const char *custom; /* the custom op's name, or NULL */
    int32_t version;    /* of the operator, from 1; lib/ops/ops.def says up to which one there is a kernel */
    const char *name;   /* for people; set by the loader, may stay NULL in a model built by hand */
};

/* One operator of a subgraph: its code, its tensors, its options. No output is a constant, or an input of the same operator. */
struct model_op {
    uint32_t opcode;       /* index in model.opcodes */
    const int32_t *inputs; /* tensor indices; -1 is an omitted optional input */
    const int32_t *outputs;
    const int32_t *intermediates; /* tensors that the operator uses for their quantization; -1: omitted */
    uint32_t n_inputs, n_outputs, n_intermediates;
    enum options_kind options_kind; /* OPTIONS_NONE if the file has none, whatever the op */
    const void *options;            /* struct opt_* of that kind (schema/options.h), or NULL */
    const uint8_t *custom;          /* a custom op's bytes (flexbuffer or raw), or NULL */
    size_t n_custom;
    const bool *mutating; /* [n_mutating] mutating_variable_inputs, or NULL */
    uint32_t n_mutating;
};

/* [0] is the one that runs first; others are called by IF, WHILE and their like, never in a circle, and at most 64 deep. */
struct model_subgraph {
    const char *name; /* never NULL */
    struct tensor *tensors;
    struct model_op *ops;
    const int32_t *inputs, *outputs; /* tensor indices */
    uint32_t n_tensors, n_ops, n_inputs, n_outputs;
    int32_t debug_metadata_index; /* -1: none */
};

/* The content of constant tensors, and of metadata. Of a loaded model it lies in the file, or in the arena if the file does not
 * align it as its tensor's type requires. */
struct model_buffer {
    const uint8_t *data; /* NULL if the buffer is empty */
    size_t bytes;
    bool outside; /* stored after the flatbuffer, through offset and size */
};

/* Names for inputs and outputs of a subgraph, as SignatureRunner knows them. */
struct model_signature {
    const char *key;
    uint32_t subgraph;
    const char **input_names, **output_names; /* with their tensors, in the signature's order */
    const uint32_t *input_tensors, *output_tensors;
    uint32_t n_inputs, n_outputs;
};

/* Bytes that the format gives no meaning, by name. */
struct model_metadata {
    const char *name;
    uint32_t buffer; /* index in model.buffers */
};

struct model {
    uint32_t version;        /* of the schema: 3 */
    const char *description; /* never NULL */
    struct model_opcode *opcodes;
    struct model_subgraph *subgraphs;
    struct model_buffer *buffers; /* [0] is the empty one */
    struct model_signature *signatures;
    struct model_metadata *metadata;
    uint32_t n_opcodes, n_subgraphs, n_buffers, n_signatures, n_metadata;

    const uint8_t *file; /* the whole file, borrowed or mapped; NULL for a model built in memory */
    size_t file_bytes;
    bool mapped;        /* model_close unmaps it */
    struct arena arena; /* holds everything decoded */
};

/* Map `path`, verify and decode it. On failure *out is NULL and the message begins with the path: ST_IO, ST_BAD_MODEL,
 * ST_UNSUPPORTED (a newer schema, or parts of it that nothing here can represent), ST_NOMEM. The file must not be changed while the
 * model is open. */
enum status model_open(const char *path, struct model **out, struct err *err);

/* Do the same from memory that stays valid as long as the model; `name` begins the messages. */
enum status model_parse(const void *data, size_t bytes, const char *name, struct model **out, struct err *err);

/* End the model and all pointers into it; accepts NULL. Models built by hand are not closed. */
void model_close(struct model *m);

/* A walk over the subgraphs that an operator may run, as its options refer to them, in the order of a run; begun with {.op = op}.
 */
struct model_calls {
    const struct model_op *op;
    uint32_t field, entry;
};

/* Write the next of them; false beyond the last. */
bool model_next_call(struct model_calls *w, uint32_t *subgraph);

/* Give the operator options of its own, from `a`, in which each reference to subgraph s is one to at[s]. False if memory runs out.
 */
bool model_op_renumber_calls(struct model_op *op, const uint32_t *at, struct arena *a);

/* "CONV_2D", a custom op's own name, or "BUILTIN_250" for a number beyond the known ones ("BUILTIN_?" in a model built by
 * hand); never NULL. */
const char *model_op_name(const struct model *m, const struct model_op *op);

/* Turn a model built by hand into the bytes of a .tflite file, constants 16-byte aligned; *out is malloc'ed, the caller's to free.
 * Tensors of one buffer index share it. Fails with ST_BAD_MODEL if model_parse would refuse the result. */
enum status model_serialize(const struct model *m, uint8_t **out, size_t *bytes, struct err *err);

/* Serialize the model into a file: written beside it, then renamed, so that no half file is ever seen. */
enum status model_write(const struct model *m, const char *path, struct err *err);

#endif
