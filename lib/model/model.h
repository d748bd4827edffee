/* SPDX-License-Identifier: Apache-2.0 */
/* model.h - a .tflite file as plain structs: loaded and verified, or built in memory to be written.
 *
 * model_open maps the file and checks everything once (offsets, alignment, vector bounds, nesting, total table count, buffer
 * lengths against shape and type, index ranges, cycles of subgraph calls); all other code trusts it. Constants stay in the mapped
 * file. model_write writes the same structs, filled by hand, to a file.
 *
 * An open model is immutable: any number of sessions may use it, in any threads. Whether operators have the inputs, ranks and types
 * that they need is checked by the kernels' `shape` and `prepare`; a kernel may not exist at all. Field numbers and the file's own
 * encodings are in schema/file.h. Strings are terminated; "" if the file has none, unless the member says otherwise. */
#pragma once

#include "lib/base/arena.h"
#include "lib/model/file_map.h"
#include "lib/tensor/tensor.h"
#include "schema/options.h"

/* An entry of the file's list of operator codes. */
struct model_opcode {
    int32_t builtin;    /* BUILTIN_*, or a number beyond the known ones */
    const char *custom; /* the custom op's name, or NULL */
    int32_t version;    /* version of the operator, from 1; lib/ops/ops.def has the newest version of each kernel */
    const char *name;   /* printable name, set by the loader; may be NULL in a model built by hand */
};

/* One operator of a subgraph: its code, its tensors, its options. No output is a constant, or an input of the same operator. */
struct model_op {
    uint32_t opcode;       /* index in model.opcodes */
    const int32_t *inputs; /* tensor indices; -1 is an omitted optional input */
    const int32_t *outputs;
    const int32_t *intermediates; /* tensors of which the operator uses only the quantization; -1: omitted */
    uint32_t n_inputs, n_outputs, n_intermediates;
    enum options_kind options_kind; /* OPTIONS_NONE if the file has none, whatever the op */
    const void *options;            /* struct opt_* of that kind (schema/options.h), or NULL */
    const uint8_t *custom;          /* a custom op's bytes (flexbuffer or raw), or NULL */
    size_t n_custom;
    const bool *mutating; /* [n_mutating] mutating_variable_inputs, or NULL */
    uint32_t n_mutating;
};

/* A subgraph. [0] of the model is the primary one; others are called by IF, WHILE and similar operators, without cycles, at most 64
 * levels deep. */
struct model_subgraph {
    const char *name; /* never NULL */
    struct tensor *tensors;
    struct model_op *ops;
    const int32_t *inputs, *outputs; /* tensor indices */
    uint32_t n_tensors, n_ops, n_inputs, n_outputs;
    int32_t debug_metadata_index; /* -1: none */
};

/* A store of constants outside of the model's file, which models of one bundle may share. */
struct model_group {
    const char *name;
    const char *place;       /* the file or section with it, for people; "": no buffer is in it, or it is not found yet */
    uint64_t offset;         /* of `range` in the store */
    struct file_range range; /* mapped from the first buffer to the end of the last */
};

/* The place of a buffer in a store. */
struct model_external {
    uint32_t id;    /* as the file has it; not 0 */
    uint32_t group; /* index in model.groups */
    uint64_t offset, bytes;
};

/* The content of constant tensors and metadata: of a loaded model in the file, or in the arena if the file does not align it as the
 * tensor's type requires. */
struct model_buffer {
    const uint8_t *data; /* NULL if the buffer is empty */
    size_t bytes;
    bool outside;                          /* stored after the flatbuffer, through offset and size */
    const struct model_external *external; /* its place in a store; NULL: it is in the file. After all that are in the file */
};

/* Names for inputs and outputs of a subgraph, as SignatureRunner knows them. */
struct model_signature {
    const char *key;
    uint32_t subgraph;
    const char **input_names, **output_names;       /* [n_inputs], [n_outputs] in the signature's order */
    const uint32_t *input_tensors, *output_tensors; /* [n_inputs], [n_outputs] tensor indices of these names */
    uint32_t n_inputs, n_outputs;
};

/* A named buffer without a meaning in the format. */
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
    struct model_group *groups;
    uint32_t n_opcodes, n_subgraphs, n_buffers, n_signatures, n_metadata, n_groups;
    bool keep_external; /* the writer leaves external buffers in their stores; false: it puts them into the file */

    const uint8_t *file; /* the whole file, borrowed or mapped; NULL for a model built in memory */
    size_t file_bytes;
    struct file_range range; /* the mapping that model_close ends; zeros: none */
    struct arena arena;      /* holds everything decoded */
};

/* Return true if `op` is an operator of m of that builtin code. */
static inline bool model_op_is(const struct model *m, const struct model_op *op, int32_t builtin)
{
    return m->opcodes[op->opcode].builtin == builtin;
}

/* Map the file `path`, verify and decode it. PATH#NAME chooses a model of a bundle, whose section is mapped alone (bundle.h); a
 * bundle of one model needs no name. `weights`: the stores of its external buffers, FILE or FILE:GROUP, a line each; NULL or "":
 * they lie beside the model, or in its bundle (weights.h). The files must not change while the model is open. On failure *out is
 * NULL and the message begins with the path: ST_IO, ST_BAD_MODEL, ST_UNSUPPORTED (a newer schema, or parts that these structs
 * cannot represent), ST_USAGE (the name chooses no model), ST_NOMEM. */
enum status model_open(const char *path, struct model **out, struct err *err);
enum status model_open_with(const char *path, const char *weights, struct model **out, struct err *err);

/* Open the model in section `s` of the bundle at `path`; messages begin with `name`. Fails as model_open does. */
struct bundle;
struct bundle_section;
enum status model_open_section(const struct bundle *b, const struct bundle_section *s, const char *path, const char *name,
                               const char *weights, struct model **out, struct err *err);

/* Verify and decode a model in memory, which is borrowed until model_close; messages begin with `name`. Fails as model_open does.
 */
struct weight_places;
enum status model_parse(const void *data, size_t bytes, const char *name, struct model **out, struct err *err);
enum status model_parse_with(const void *data, size_t bytes, const char *name, const struct weight_places *places,
                             struct model **out, struct err *err);

/* Return true if some of its constants are in stores outside of its file. */
bool model_has_external(const struct model *m);

/* Free a model of model_open or model_parse; pointers into it become invalid. Accepts NULL. */
void model_close(struct model *m);

/* An iterator over the subgraphs in an operator's options, in execution order. Initialize with {.op = op}. */
struct model_calls {
    const struct model_op *op;
    uint32_t field, entry;
};

/* Store the next subgraph's index; return false after the last. */
bool model_next_call(struct model_calls *w, uint32_t *subgraph);

/* Replace the operator's options by a copy in `a` in which each reference to subgraph s becomes at[s]. Return false if out of
 * memory. */
bool model_op_renumber_calls(struct model_op *op, const uint32_t *at, struct arena *a);

/* Return "CONV_2D", a custom op's own name, or "BUILTIN_250" for an unknown number ("BUILTIN_?" in a model built by hand); never
 * NULL. */
const char *model_op_name(const struct model *m, const struct model_op *op);

/* Serialize a model built by hand into the bytes of a .tflite file, with constants aligned to 16 bytes; the caller frees *out.
 * Tensors with the same buffer index share the buffer. External buffers come behind the flatbuffer where they are too large for it.
 * Fails with ST_BAD_MODEL if model_parse would refuse the result; with
 * ST_NOMEM. */
enum status model_serialize(const struct model *m, uint8_t **out, size_t *bytes, struct err *err);

/* Serialize a model into a file, whole or not at all. Fails as model_serialize and file_write do. */
enum status model_write(const struct model *m, const char *path, struct err *err);
