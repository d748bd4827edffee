/* SPDX-License-Identifier: Apache-2.0 */
/* model_write.c - turns a model into the bytes of a .tflite file, and those into a file. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/file_write.h"
#include "lib/model/model_write_impl.h"

/* GPU uploads and vector loads read constants in place. */
#define BUFFER_ALIGN 16

static fbw_ref put_opcode(struct fbw *w, const void *of, uint32_t i)
{
    const struct model_opcode *code = (const struct model_opcode *)of + i;
    /* Readers older than the int32 look at the byte alone, and stop at its last code. */
    int32_t last = BUILTIN_PLACEHOLDER_FOR_GREATER_OP_CODES, narrow = code->builtin < last ? code->builtin : last;
    fbw_ref custom = fbw_string(w, code->custom);

    fbw_start(w);
    fbw_i8(w, OPCODE_DEPRECATED_BUILTIN, (int8_t)narrow, 0);
    fbw_table(w, OPCODE_CUSTOM, custom);
    fbw_i32(w, OPCODE_VERSION, code->version, 1);
    fbw_i32(w, OPCODE_BUILTIN, code->builtin, 0);
    return fbw_end(w);
}

struct buffers {
    const struct model_buffer *buffers;
    uint32_t *offset_at; /* where to patch the file offset of one that stays outside; 0: inside */
};

static fbw_ref put_buffer(struct fbw *w, const void *of, uint32_t i)
{
    const struct buffers *to = of;
    const struct model_buffer *b = &to->buffers[i];
    bool outside = b->outside && b->bytes;
    fbw_ref data = outside || !b->bytes ? 0 : fbw_vector(w, b->data, b->bytes, 1, BUFFER_ALIGN);

    fbw_start(w);
    fbw_table(w, BUFFER_DATA, data);
    if (outside) {
        to->offset_at[i] = fbw_u64_later(w, BUFFER_OFFSET, 0);
        fbw_u64_later(w, BUFFER_SIZE, b->bytes);
    }
    return fbw_end(w);
}

/* One side of a signature. */
struct names {
    const char **names;
    const uint32_t *tensors;
};

static fbw_ref put_name(struct fbw *w, const void *of, uint32_t i)
{
    const struct names *side = of;
    fbw_ref name = fbw_string(w, side->names[i]);

    fbw_start(w);
    fbw_table(w, TENSOR_MAP_NAME, name);
    fbw_u32(w, TENSOR_MAP_TENSOR, side->tensors[i], 0);
    return fbw_end(w);
}

static fbw_ref put_signature(struct fbw *w, const void *of, uint32_t i)
{
    const struct model_signature *s = (const struct model_signature *)of + i;
    const struct names in = {s->input_names, s->input_tensors}, out = {s->output_names, s->output_tensors};
    fbw_ref key = fbw_string(w, s->key), inputs = model_put_list(w, &in, s->n_inputs, put_name);
    fbw_ref outputs = model_put_list(w, &out, s->n_outputs, put_name);

    fbw_start(w);
    fbw_table(w, SIGNATURE_INPUTS, inputs);
    fbw_table(w, SIGNATURE_OUTPUTS, outputs);
    fbw_table(w, SIGNATURE_KEY, key);
    fbw_u32(w, SIGNATURE_SUBGRAPH, s->subgraph, 0);
    return fbw_end(w);
}

static fbw_ref put_metadata(struct fbw *w, const void *of, uint32_t i)
{
    const struct model_metadata *d = (const struct model_metadata *)of + i;
    fbw_ref name = fbw_string(w, d->name);

    fbw_start(w);
    fbw_table(w, METADATA_NAME, name);
    fbw_u32(w, METADATA_BUFFER, d->buffer, 0);
    return fbw_end(w);
}

static uint8_t *put_model(struct fbw *w, const struct model *m, uint32_t *offset_at, size_t *bytes)
{
    const struct buffers to = {m->buffers, offset_at};
    fbw_ref description = fbw_string(w, m->description);
    fbw_ref opcodes = model_put_list(w, m->opcodes, m->n_opcodes, put_opcode);
    fbw_ref subgraphs = model_put_list(w, m->subgraphs, m->n_subgraphs, model_put_subgraph);
    fbw_ref buffers = model_put_list(w, &to, m->n_buffers, put_buffer);
    fbw_ref metadata = m->n_metadata ? model_put_list(w, m->metadata, m->n_metadata, put_metadata) : 0;
    fbw_ref signatures = m->n_signatures ? model_put_list(w, m->signatures, m->n_signatures, put_signature) : 0;

    fbw_start(w);
    fbw_u32(w, MODEL_VERSION, FILE_SCHEMA_VERSION, 0);
    fbw_table(w, MODEL_OPERATOR_CODES, opcodes);
    fbw_table(w, MODEL_SUBGRAPHS, subgraphs);
    fbw_table(w, MODEL_DESCRIPTION, description);
    fbw_table(w, MODEL_BUFFERS, buffers);
    fbw_table(w, MODEL_METADATA, metadata);
    fbw_table(w, MODEL_SIGNATURE_DEFS, signatures);
    return fbw_finish(w, fbw_end(w), FILE_IDENTIFIER, bytes);
}

/* Puts the buffers that stay outside after the flatbuffer, and their places into it. */
static bool append_outside(const struct model *m, const uint32_t *offset_at, uint8_t **file, size_t *bytes)
{
    size_t inside = *bytes, total = inside;
    uint8_t *grown;

    for (uint32_t i = 0; i < m->n_buffers; i++)
        if (offset_at[i])
            total = ((total + BUFFER_ALIGN - 1) & ~(size_t)(BUFFER_ALIGN - 1)) + m->buffers[i].bytes;
    if (total == inside)
        return true;
    if (!(grown = realloc(*file, total)))
        return false;
    memset(grown + inside, 0, total - inside);
    for (uint32_t i = 0; i < m->n_buffers; i++) {
        uint64_t at = (*bytes + BUFFER_ALIGN - 1) & ~(size_t)(BUFFER_ALIGN - 1);

        if (!offset_at[i])
            continue;
        memcpy(grown + inside - offset_at[i], &at, sizeof at);
        memcpy(grown + at, m->buffers[i].data, m->buffers[i].bytes);
        *bytes = (size_t)at + m->buffers[i].bytes;
    }
    *file = grown;
    return true;
}

enum status model_serialize(const struct model *m, uint8_t **out, size_t *bytes, struct err *err)
{
    uint32_t *offset_at = calloc((size_t)m->n_buffers + 1, sizeof *offset_at);
    enum status st = ST_OK;
    struct model *check;
    uint8_t *file = NULL;
    struct fbw w;

    *out = NULL;
    fbw_init(&w);
    if (!offset_at || !(file = put_model(&w, m, offset_at, bytes)) || !append_outside(m, offset_at, &file, bytes))
        st = err_set(err, ST_NOMEM, "the model does not fit into memory, or into the 2 GiB of a flatbuffer");
    fbw_free(&w);
    free(offset_at);
    /* What the loader refuses must not be written; nothing knows its rules better. */
    if (!st && !(st = model_parse(file, *bytes, "the model to be written", &check, err)))
        model_close(check);
    if (st)
        free(file);
    else
        *out = file;
    return st;
}

enum status model_write(const struct model *m, const char *path, struct err *err)
{
    enum status st;
    uint8_t *data;
    size_t bytes;

    if ((st = model_serialize(m, &data, &bytes, err)))
        return err_prefix(err, st, "%s", path);
    st = file_write(path, &(struct file_piece){data, bytes}, 1, err);
    free(data);
    return st;
}
