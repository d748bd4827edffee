/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_identity.c - the identity of a host's graph: a digest of all that compilation depends on, in place of the model's file.
 *
 * Options are digested field by field: the host leaves padding between fields undefined. */
#include "lib/tflite/plugin_graph.h"

#include <string.h>

#include "lib/base/hash64.h"

enum { TENSOR_WORDS = 11, OP_WORDS = 16, OPTIONS_BYTES = 1024 };

static void digest(const void *data, size_t bytes, uint64_t *to)
{
    to[0] = bytes;
    to[1] = 0;
    if (data && bytes) {
        hash128(data, bytes, to);
        to[0] ^= bytes;
    }
}

static void say_tensor(const struct tensor *t, uint64_t *w)
{
    w[0] = (uint64_t)t->type << 32 | (uint64_t)t->is_variable << 1 | t->is_const;
    w[1] = (uint64_t)(uint32_t)t->quant.dim << 32 | t->quant.n;
    digest(t->quant.scale, t->quant.n * sizeof *t->quant.scale, &w[2]);
    digest(t->quant.zero_point, t->quant.n * sizeof *t->quant.zero_point, &w[4]);
    digest(t->data, t->data ? t->bytes : 0, &w[6]);
    w[8] = (uint64_t)t->rank;
    w[9] = (uint64_t)(uint32_t)t->quant.block_size;
    w[10] = (uint64_t)(uint32_t)t->quant.block_scales << 32 | (uint32_t)t->quant.block_zero_points;
}

/* A list or text that is there. */
static bool leads_on(const void *options, const struct field *f)
{
    const void *list;

    memcpy(&list, (const char *)options + f->offset, sizeof list);
    return list != NULL;
}

/* Bytes of a field of a struct; 0: it is a pointer to more. */
static size_t field_bytes(const struct field *f)
{
    switch (f->kind) {
    case FIELD_BOOL: return sizeof(bool);
    case FIELD_I64: return sizeof(int64_t);
    case FIELD_ARRAY_I32: return f->max * sizeof(int32_t);
    case FIELD_ARRAY_I64: return f->max * sizeof(int64_t);
    case FIELD_ENUM:
    case FIELD_ENUM_PLUS_1:
    case FIELD_ENUM_WIDE:
    case FIELD_TYPE:
    case FIELD_I32:
    case FIELD_I64_LOW:
    case FIELD_F32: return sizeof(int32_t);
    default: return 0;
    }
}

/* False: there is a list or text in it, which nobody here follows. */
static bool say_options(const struct model_op *op, uint64_t *w)
{
    const struct options_table *table = op->options ? options_table(op->options_kind) : NULL;
    unsigned char flat[OPTIONS_BYTES] = {0};
    size_t n = 0;

    for (uint32_t i = 0; table && i < table->n_fields; i++) {
        const struct field *f = &table->fields[i];
        const size_t bytes = field_bytes(f), count = f->count_bytes;

        if (!bytes && !leads_on(op->options, f))
            continue;
        if (!bytes || n + bytes + count > sizeof flat)
            return false;
        memcpy(flat + n, (const char *)op->options + f->offset, bytes);
        memcpy(flat + n + bytes, (const char *)op->options + f->count_offset, count);
        n += bytes + count;
    }
    digest(flat, n, w);
    return true;
}

static bool say_op(const struct model *m, const struct model_op *op, uint64_t *w)
{
    const struct model_opcode *code = &m->opcodes[op->opcode];

    w[0] = (uint64_t)(uint32_t)code->builtin << 32 | (uint32_t)code->version;
    w[1] = (uint64_t)op->options_kind << 1 | (op->options != NULL);
    digest(op->inputs, op->n_inputs * sizeof *op->inputs, &w[2]);
    digest(op->outputs, op->n_outputs * sizeof *op->outputs, &w[4]);
    digest(op->intermediates, op->n_intermediates * sizeof *op->intermediates, &w[6]);
    digest(code->custom, code->custom ? strlen(code->custom) : 0, &w[8]);
    digest(op->custom, op->n_custom, &w[10]);
    return say_options(op, &w[12]);
}

enum status plugin_graph_identify(struct plugin_graph *g, bool *known, struct err *err)
{
    const struct model_subgraph *s = g->model.subgraphs;
    const size_t n = (size_t)s->n_tensors * TENSOR_WORDS + (size_t)s->n_ops * OP_WORDS + 4;
    uint64_t *words = ARENA_ARRAY(&g->arena, n, uint64_t), *to = words;

    *known = false;
    if (!words)
        return err_set(err, ST_NOMEM, "out of memory for %zu words", n);
    for (uint32_t i = 0; i < s->n_tensors; i++, to += TENSOR_WORDS)
        say_tensor(&s->tensors[i], to);
    for (uint32_t i = 0; i < s->n_ops; i++, to += OP_WORDS)
        if (!say_op(&g->model, &s->ops[i], to))
            return ST_OK;
    digest(s->inputs, s->n_inputs * sizeof *s->inputs, to);
    digest(s->outputs, s->n_outputs * sizeof *s->outputs, to + 2);
    g->model.file = (const uint8_t *)words;
    g->model.file_bytes = n * sizeof *words;
    *known = true;
    return ST_OK;
}
