/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - the top of a .tflite file: operator codes, buffers, subgraphs, signatures, metadata. */
#include "lib/model/model.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/model/model_impl.h"

static void read_opcode(struct loader *l, const struct fb_table *from, void *to)
{
    struct model_opcode *code = to;
    struct fb *f = &l->fb;
    /* The byte is what old readers look at; codes past 127 are in the int32 only. */
    int32_t narrow = fb_i8(f, from, OPCODE_DEPRECATED_BUILTIN, 0), wide = fb_i32(f, from, OPCODE_BUILTIN, 0);
    const char *custom = fb_string(f, from, OPCODE_CUSTOM, "its custom name");

    code->builtin = wide > narrow ? wide : narrow;
    code->version = fb_i32(f, from, OPCODE_VERSION, 1);
    if (code->builtin < 0)
        fb_fail(f, ST_BAD_MODEL, "its number is %d", code->builtin);
    code->name = builtin_name(code->builtin);
    if (code->builtin == BUILTIN_CUSTOM) {
        if (!custom)
            fb_fail(f, ST_BAD_MODEL, "a custom operator without a name");
        code->custom = code->name = custom;
    }
    if (!code->name && !(code->name = arena_printf(f->arena, "BUILTIN_%d", code->builtin)))
        fb_fail(f, ST_NOMEM, "out of memory");
}

const uint8_t *model_outside(struct loader *l, uint64_t offset, uint64_t size, const char *what)
{
    if (offset > l->fb.bytes || size > l->fb.bytes - offset) {
        fb_fail(&l->fb, ST_BAD_MODEL, "%s of %llu bytes at offset %llu, but the file has %zu", what, (unsigned long long)size,
                (unsigned long long)offset, l->fb.bytes);
        return NULL;
    }
    return l->fb.data + offset;
}

static void read_buffer(struct loader *l, const struct fb_table *from, void *to)
{
    struct model_buffer *b = to;
    struct fb *f = &l->fb;
    struct fb_vector v = fb_vector(f, from, BUFFER_DATA, 1, "its data");
    uint64_t offset = fb_u64(f, from, BUFFER_OFFSET, 0), size = fb_u64(f, from, BUFFER_SIZE, 0);

    b->bytes = v.n;
    b->data = v.n ? v.data : NULL;
    if (!v.n && offset > 1 && size) { /* 1 is the placeholder of a file not finished */
        b->data = model_outside(l, offset, size, "data");
        b->bytes = b->data ? (size_t)size : 0;
        b->outside = true;
    }
}

static void read_group(struct loader *l, const struct fb_table *from, void *to)
{
    const char *name = fb_string(&l->fb, from, EXTERNAL_GROUP_NAME, "its name");

    *(struct model_group *)to = (struct model_group){.name = name ? name : "", .place = ""};
}

static void read_subgraph(struct loader *l, const struct fb_table *from, void *to)
{
    model_read_subgraph(l, from, to);
}

/* One side of a signature: names and the tensors they stand for. */
static uint32_t read_names(struct fb *f, const struct fb_table *from, unsigned id, const struct model_subgraph *g,
                           const char ***names, const uint32_t **tensors, const char *what)
{
    struct fb_vector v = fb_tables(f, from, id, what);
    const char **name = FB_ARRAY(f, v.n, const char *);
    uint32_t *tensor = FB_ARRAY(f, v.n, uint32_t);

    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table at = fb_item(f, &v, i, what);
        const char *s = fb_string(f, &at, TENSOR_MAP_NAME, "the name");

        name[i] = s ? s : "";
        tensor[i] = fb_u32(f, &at, TENSOR_MAP_TENSOR, 0);
        if (tensor[i] >= g->n_tensors)
            fb_fail(f, ST_BAD_MODEL, "%s %u \"%.80s\" is tensor %u of %u", what, i, name[i], tensor[i], g->n_tensors);
    }
    *names = name;
    *tensors = tensor;
    return v.n;
}

static void read_signature(struct loader *l, const struct fb_table *from, void *to)
{
    struct model_signature *s = to;
    struct fb *f = &l->fb;
    const char *key = fb_string(f, from, SIGNATURE_KEY, "the key");
    const struct model_subgraph *g;

    s->key = key ? key : "";
    s->subgraph = fb_u32(f, from, SIGNATURE_SUBGRAPH, 0);
    if (s->subgraph >= l->m->n_subgraphs)
        fb_fail(f, ST_BAD_MODEL, "it belongs to subgraph %u of %u", s->subgraph, l->m->n_subgraphs);
    if (f->st)
        return;
    g = &l->m->subgraphs[s->subgraph];
    s->n_inputs = read_names(f, from, SIGNATURE_INPUTS, g, &s->input_names, &s->input_tensors, "input");
    s->n_outputs = read_names(f, from, SIGNATURE_OUTPUTS, g, &s->output_names, &s->output_tensors, "output");
}

static void read_metadata(struct loader *l, const struct fb_table *root)
{
    struct fb *f = &l->fb;
    struct fb_vector v = fb_tables(f, root, MODEL_METADATA, "metadata");

    if (!(l->m->metadata = FB_ARRAY(f, v.n, struct model_metadata)))
        return;
    l->m->n_metadata = v.n;
    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct model_metadata *d = &l->m->metadata[i];
        struct fb_table at = fb_item(f, &v, i, "metadata");
        const char *name = fb_string(f, &at, METADATA_NAME, "the name of metadata");

        d->name = name ? name : "";
        d->buffer = fb_u32(f, &at, METADATA_BUFFER, 0);
        if (d->buffer >= l->n_file_buffers)
            fb_fail(f, ST_BAD_MODEL, "metadata %u \"%.80s\" is in buffer %u of %u", i, d->name, d->buffer, l->n_file_buffers);
    }
}

/* Each table of a list of the root, as an item of `size` bytes; `name`: one of them, in messages. */
static void *read_list(struct loader *l, const struct fb_table *root, unsigned field, const char *name, size_t size, uint32_t *n,
                       void (*read)(struct loader *l, const struct fb_table *from, void *to))
{
    struct fb *f = &l->fb;
    char all[32];
    struct fb_vector v;
    char *items;

    snprintf(all, sizeof all, "%ss", name);
    v = fb_tables(f, root, field, all);
    if (!(items = fb_alloc(f, v.n, size)))
        return NULL;
    *n = v.n;
    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table at = fb_item(f, &v, i, "it");

        read(l, &at, items + i * size);
        if (f->st)
            fb_prefix(f, "%s %u", name, i);
    }
    return items;
}
#define READ_LIST(l, root, field, name, list, read)                                                                                \
    ((l)->m->list = read_list(l, root, field, name, sizeof *(l)->m->list, &(l)->m->n_##list, read))

/* In this order, since each part is checked against those before it. */
static enum status load(struct loader *l)
{
    struct fb_table root = fb_root(&l->fb);
    const char *description = fb_string(&l->fb, &root, MODEL_DESCRIPTION, "the description");
    struct model *m = l->m;

    m->description = description ? description : "";
    m->version = fb_u32(&l->fb, &root, MODEL_VERSION, 0);
    if (m->version != FILE_SCHEMA_VERSION)
        return fb_fail(&l->fb, ST_UNSUPPORTED, "schema version %u, only %d is known", m->version, FILE_SCHEMA_VERSION);
    READ_LIST(l, &root, MODEL_OPERATOR_CODES, "operator code", opcodes, read_opcode);
    READ_LIST(l, &root, MODEL_BUFFERS, "buffer", buffers, read_buffer);
    READ_LIST(l, &root, MODEL_EXTERNAL_GROUPS, "weight group", groups, read_group);
    model_read_external(l, &root);
    READ_LIST(l, &root, MODEL_SUBGRAPHS, "subgraph", subgraphs, read_subgraph);
    model_check_calls(l);
    READ_LIST(l, &root, MODEL_SIGNATURE_DEFS, "signature", signatures, read_signature);
    read_metadata(l, &root);
    return l->fb.st;
}

enum status model_parse(const void *data, size_t bytes, const char *name, struct model **out, struct err *err)
{
    return model_parse_with(data, bytes, name, NULL, out, err);
}

enum status model_parse_with(const void *data, size_t bytes, const char *name, const struct weight_places *places,
                             struct model **out, struct err *err)
{
    struct loader l = {.m = calloc(1, sizeof *l.m), .places = places};
    enum status st;

    *out = NULL;
    if (!l.m)
        return err_set(err, ST_NOMEM, "%s: out of memory", name);
    l.m->file = data;
    l.m->file_bytes = bytes;
    fb_init(&l.fb, data, bytes, &l.m->arena, err);
    if ((st = model_sniff(data, bytes, err)) || (st = load(&l))) {
        model_close(l.m);
        return err_prefix(err, st, "%s", name);
    }
    *out = l.m;
    return ST_OK;
}

void model_close(struct model *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->n_groups; i++)
        file_unmap(&m->groups[i].range);
    file_unmap(&m->range);
    arena_free(&m->arena);
    free(m);
}

bool model_has_external(const struct model *m)
{
    return m->n_buffers && m->buffers[m->n_buffers - 1].external;
}

const char *model_op_name(const struct model *m, const struct model_op *op)
{
    const struct model_opcode *code = &m->opcodes[op->opcode];
    const char *name = code->name ? code->name : code->custom ? code->custom : builtin_name(code->builtin);

    return name ? name : "BUILTIN_?";
}
