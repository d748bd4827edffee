/* SPDX-License-Identifier: Apache-2.0 */
/* model_write.c - turns a model into the bytes of a .tflite file, and those into a file. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/file_write.h"
#include "lib/model/model_write_impl.h"
#include "lib/model/weights.h"

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

/* External buffers that are put into the file together have at least these bytes if they come behind the flatbuffer. */
#define MOST_INSIDE ((uint64_t)1 << 30)

struct buffers {
    const struct model *m;
    uint32_t *offset_at;   /* where to patch the file offset of one that stays outside; 0: inside */
    bool external_outside; /* external buffers are too large for a flatbuffer */
};

/* External buffers of a hand-made model may stand among others, which keep their numbers. */
static bool is_kept(const struct model *m, const struct model_buffer *b)
{
    return m->keep_external && b->external;
}

static bool are_large(const struct model *m)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < m->n_buffers; i++)
        if (m->buffers[i].external && (m->buffers[i].bytes > MOST_INSIDE || (bytes += m->buffers[i].bytes) > MOST_INSIDE))
            return true;
    return false;
}

static fbw_ref put_buffer(struct fbw *w, const void *of, uint32_t i)
{
    const struct buffers *to = of;
    const struct model_buffer *b = &to->m->buffers[i];
    bool kept = is_kept(to->m, b), outside = (b->outside || (b->external && to->external_outside)) && b->bytes && !kept;
    fbw_ref data = outside || !b->bytes || kept ? 0 : fbw_vector(w, b->data, b->bytes, 1, BUFFER_ALIGN);

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

static fbw_ref put_group(struct fbw *w, const void *of, uint32_t i)
{
    fbw_ref name = fbw_string(w, ((const struct model_group *)of + i)->name);

    fbw_start(w);
    fbw_table(w, EXTERNAL_GROUP_NAME, name);
    return fbw_end(w);
}

static void put_u64(struct fbw *w, unsigned id, uint64_t v)
{
    if (v)
        fbw_u64_later(w, id, v);
}

static fbw_ref put_external(struct fbw *w, const void *of, uint32_t i)
{
    const struct model_external *x = ((const struct model_external *const *)of)[i];
    fbw_ref packing = fbw_string(w, "unpacked");

    fbw_start(w);
    fbw_u32(w, EXTERNAL_ID, x->id, 0);
    fbw_u32(w, EXTERNAL_GROUP, x->group, 0);
    put_u64(w, EXTERNAL_OFFSET, x->offset);
    put_u64(w, EXTERNAL_LENGTH, x->bytes);
    fbw_table(w, EXTERNAL_PACKING, packing);
    return fbw_end(w);
}

/* Those that are kept, in the order of the buffers. */
static fbw_ref put_externals(struct fbw *w, const struct model *m)
{
    const struct model_external **list = malloc(((size_t)m->n_buffers + 1) * sizeof *list);
    uint32_t n = 0;
    fbw_ref ref = 0;

    for (uint32_t i = 0; list && i < m->n_buffers; i++)
        if (is_kept(m, &m->buffers[i]))
            list[n++] = m->buffers[i].external;
    if (!list)
        w->failed = true;
    else if (n)
        ref = model_put_list(w, list, n, put_external);
    free(list);
    return ref;
}

/* Kept buffers at the end need no number. */
static uint32_t n_written_buffers(const struct model *m)
{
    uint32_t n = m->n_buffers;

    while (n && is_kept(m, &m->buffers[n - 1]))
        n--;
    return n;
}

static uint8_t *put_model(struct fbw *w, const struct model *m, uint32_t *offset_at, size_t *bytes)
{
    const struct buffers to = {m, offset_at, are_large(m)};
    fbw_ref description = fbw_string(w, m->description);
    fbw_ref opcodes = model_put_list(w, m->opcodes, m->n_opcodes, put_opcode);
    fbw_ref subgraphs = model_put_list(w, m, m->n_subgraphs, model_put_subgraph);
    fbw_ref buffers = model_put_list(w, &to, n_written_buffers(m), put_buffer);
    fbw_ref metadata = m->n_metadata ? model_put_list(w, m->metadata, m->n_metadata, put_metadata) : 0;
    fbw_ref signatures = m->n_signatures ? model_put_list(w, m->signatures, m->n_signatures, put_signature) : 0;
    fbw_ref externals = put_externals(w, m), groups = externals ? model_put_list(w, m->groups, m->n_groups, put_group) : 0;

    fbw_start(w);
    fbw_u32(w, MODEL_VERSION, FILE_SCHEMA_VERSION, 0);
    fbw_table(w, MODEL_OPERATOR_CODES, opcodes);
    fbw_table(w, MODEL_SUBGRAPHS, subgraphs);
    fbw_table(w, MODEL_DESCRIPTION, description);
    fbw_table(w, MODEL_BUFFERS, buffers);
    fbw_table(w, MODEL_METADATA, metadata);
    fbw_table(w, MODEL_SIGNATURE_DEFS, signatures);
    fbw_table(w, MODEL_EXTERNAL_GROUPS, groups);
    fbw_table(w, MODEL_EXTERNALS, externals);
    return fbw_finish(w, fbw_end(w), FILE_IDENTIFIER, bytes);
}

/* Puts the buffers that stay outside after the flatbuffer, and their places into it. */
static bool append_outside(const struct model *m, const uint32_t *offset_at, uint8_t **file, size_t *bytes)
{
    size_t inside = *bytes, total = inside;
    uint8_t *grown;

    for (uint32_t i = 0; i < m->n_buffers; i++) {
        if (!offset_at[i])
            continue;
        total = (total + BUFFER_ALIGN - 1) & ~(size_t)(BUFFER_ALIGN - 1);
        if (m->buffers[i].bytes > SIZE_MAX / 2 - total)
            return false;
        total += m->buffers[i].bytes;
    }
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
    const struct weight_places places = {.same = m};
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
    if (!st && !(st = model_parse_with(file, *bytes, "the model to be written", &places, &check, err)))
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
